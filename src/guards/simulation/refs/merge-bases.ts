import { onlyMergeBase } from '../../../git/history/ancestry.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { known, textOf } from '../../git-command/words.ts';
import type { BringFilesIntent, Discarded, DiscardIntent, Intent } from '../../intent.ts';

/**
 * The same intents with the commit in the place of `A...B`, of a command that takes that for the merge base of both. To
 * others it is a range, or nothing.
 *
 * @param repository as the line leaves it
 */
export async function throughMergeBases(
  intents: readonly Intent[],
  repository: Repository,
): Promise<readonly Intent[]> {
  const meant = (word: Word) => withMergeBase(word, repository);
  return Promise.all(intents.map((intent) => throughMergeBase(intent, meant)));
}

type Meant = (word: Word) => Promise<Word>;

async function throughMergeBase(intent: Intent, meant: Meant): Promise<Intent> {
  switch (intent.kind) {
    case 'switch': {
      const { to, start } = intent;
      const from = start == null ? {} : { start: await meant(start) };
      return { ...intent, ...from, to: to === null || intent.create ? to : await meant(to) };
    }
    case 'move-ref':
      return intent.to === null ? intent : { ...intent, to: await meant(intent.to) };
    case 'discard':
      return { ...intent, what: await discardedBy(intent, meant) };
    case 'bring-files':
      return { ...intent, source: await sourceOf(intent, meant) };
    case 'change-files':
      return typeof intent.to === 'string'
        ? intent
        : { ...intent, to: { ...intent.to, commit: await meant(intent.to.commit) } };
    case 'change-index':
      return intent.from === undefined ? intent : { ...intent, from: await meant(intent.from) };
    default:
      return intent;
  }
}

async function discardedBy({ what }: DiscardIntent, meant: Meant): Promise<Discarded> {
  switch (what.kind) {
    case 'tracked':
    case 'paths':
      return what.to === undefined ? what : { ...what, to: await meant(what.to) };
    case 'branch-or-path': {
      const [first, ...rest] = what.words;
      return first === undefined ? what : { ...what, words: [await meant(first), ...rest] };
    }
    default:
      return what;
  }
}

async function sourceOf({ source }: BringFilesIntent, meant: Meant): Promise<BringFilesIntent['source']> {
  return source.kind === 'commit' ? { ...source, commit: await meant(source.commit) } : source;
}

/** gitrevisions(7) "A...B": HEAD, where one of them is left out. */
const ofTwo = /^(.*?)\.\.\.(.*)$/s;

/** As it is, where it is none, or there is none, or several: git refuses that, or takes it for a path. */
async function withMergeBase(word: Word, repository: Repository): Promise<Word> {
  const [, first, second] = ofTwo.exec(textOf(word) ?? '') ?? [];
  if (first === undefined || second === undefined) {
    return word;
  }
  const [one, other] = [first, second].map((name) => (name === '' ? 'HEAD' : name)) as [string, string];
  const [from, to] = await Promise.all([one, other].map((name) => repository.resolve(`${name}^{commit}`)));
  if (from == null || to == null) {
    return word;
  }
  if (one === other) {
    // The line may have made it.
    return known(`${one}^0`);
  }
  const base = await onlyMergeBase(repository.git, from, to);
  return base === null ? word : known(base);
}
