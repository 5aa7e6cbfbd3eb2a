import { quoteWord } from '../../quote.ts';
import type { CommitIntent, CommitWords, MessageSource } from '../intent.ts';
import type { Arguments } from './parse-options.ts';
import type { SubcommandCall } from './subcommand.ts';
import { beginningOf, known } from './words.ts';

/** Where a message comes from: what is said on the line, a file, or what git or an editor makes. */
export function messageSource(args: Arguments): MessageSource {
  const isDerived = ['fixup', 'squash', 'reuse-message', 'reedit-message'].some(
    (name) => args.value(name) !== undefined,
  );
  if (isDerived) {
    return { kind: 'elsewhere', isDerived };
  }
  const given = givenMessage(args);
  if (given !== null) {
    return args.has('edit') ? { kind: 'elsewhere', begun: { by: 'message', with: given } } : given;
  }
  const template = args.value('template');
  return template === undefined
    ? { kind: 'elsewhere' }
    : { kind: 'elsewhere', begun: { by: 'template', with: { kind: 'file', path: template } } };
}

/** Null: none is on the line. */
function givenMessage(args: Arguments): MessageSource | null {
  const paragraphs = args.values('message');
  const path = args.value('file');
  return paragraphs.length > 0 ? { kind: 'text', paragraphs } : path === undefined ? null : { kind: 'file', path };
}

/** What a bundle of letters keeps without its message and without `--no-verify`: `-a` of `-anm`. */
function withoutMessage(text: string): string {
  const [letters = ''] = /^-[^mF]*/.exec(text) ?? [];
  const kept = text.startsWith('--') ? '-' : letters.replace('n', '');
  return kept === '-' ? '' : kept;
}

/** The arguments without those that say the message, or skip the hooks that look at it. */
export function wordsAround(args: Arguments, { name, words }: SubcommandCall): CommitWords {
  const dropped = new Set(
    args.uses.filter(({ name }) => ['message', 'file', 'verify'].includes(name)).map(({ at }) => at),
  );
  const values = new Set(
    args.uses.flatMap((use) =>
      (use.name === 'message' || use.name === 'file') && use.value !== null && words[use.at + 1] === use.value
        ? [use.at + 1]
        : [],
    ),
  );
  const first = args.uses.find((use) => use.name === 'message' || use.name === 'file')?.at ?? words.length;
  const shownWords = words.map((word, at) => {
    const text = word.kind === 'known' ? quoteWord(word.value) : word.source;
    return values.has(at) ? '' : dropped.has(at) ? withoutMessage(beginningOf(word)) : text;
  });
  const given = (from: number, to?: number) => shownWords.slice(from, to).filter((text) => text !== '');
  return { subcommand: name, before: given(0, first + 1), after: given(first + 1) };
}

/** A commit that no hook sees, of which only the message is judged. */
export function looseCommit(message: MessageSource): CommitIntent {
  return {
    kind: 'commit',
    message,
    around: null,
    amend: false,
    all: false,
    paths: [],
    dryRun: false,
    isLoose: true,
    cleanup: known('verbatim'),
  };
}
