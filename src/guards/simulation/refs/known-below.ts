import { fullNames } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { withUpstreamNamed } from '../../../git/settings/upstreams.ts';
import type { SimpleCommand } from '../../../shell/simple-command.ts';
import type { Invocation } from '../../git-command/invocation.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { textsOf } from '../../git-command/words.ts';
import { overlaid } from '../overlaid-repository.ts';
import type { Overlay } from '../overlay.ts';

/** What a call of git asks of two commits: whether one has everything that the other one has. */
export interface AskedBelow {
  readonly below: string;
  readonly above: string;
  /** What tells that it has. */
  readonly toldBy: 'success' | 'no output';
}

/** What the call asks; null: something else, or in a way that is not followed here. */
export function askedBelow(
  { words, settings, gitDir, workTree }: Invocation,
  command: SimpleCommand,
): AskedBelow | null {
  const isOwn = settings.length > 0 || gitDir !== null || workTree !== null || hasGitVariables(command);
  const [subcommand = '', ...rest] = (isOwn ? null : textsOf(words)) ?? [];
  const operands = rest.filter((word) => !word.startsWith('-'));
  const options = rest.filter((word) => word.startsWith('-'));
  switch (subcommand) {
    case 'merge-base':
      return options.join(' ') === '--is-ancestor' ? pair(operands, 'success') : null;
    case 'log':
    case 'rev-list':
      return options.every((option) => showing.test(option)) ? byRange(operands) : null;
    case 'cherry': {
      const [upstream = '@{upstream}', head = 'HEAD', ...more] = operands;
      const isPlain = more.length === 0 && options.every((option) => option === '-v');
      return isPlain ? { below: head, above: upstream, toldBy: 'no output' } : null;
    }
    default:
      return null;
  }
}

/** git-log(1), git-rev-list(1): options with which every commit still prints something. */
const showing =
  /^(?:--oneline|--no-color|--count|--(?:format|pretty)=(?:oneline|[^%]*%[hH].*)|-[1-9]\d*|--max-count=[1-9]\d*)$/;

function pair([below, above, ...more]: readonly string[], toldBy: AskedBelow['toldBy']): AskedBelow | null {
  return below === undefined || above === undefined || more.length > 0 ? null : { below, above, toldBy };
}

/** `origin/main..HEAD`, where either end may be left out: gitrevisions(7) "Dotted Range Notations". */
function byRange([range, ...more]: readonly string[]): AskedBelow | null {
  const [, above, below] = /^([^.^].*?|)\.\.([^.].*|)$/.exec(range ?? '') ?? [];
  return above === undefined || below === undefined || more.length > 0
    ? null
    : { below: below || 'HEAD', above: above || 'HEAD', toldBy: 'no output' };
}

/** The one is below the other at that moment: where that is a ref, it keeps what the one has. */
export async function applyBelow({ below, above }: AskedBelow, overlay: Overlay, before: Repository): Promise<void> {
  const repository = overlaid(before, overlay);
  const [oid, by] = await Promise.all([repository.resolve(`${below}^{commit}`), refMeant(above, repository)]);
  if (oid !== null && by !== null) {
    overlay.shared.reached.push({ oid, by, since: overlay.refs.get(by) });
  }
}

/** The full name of the ref that a revision is, without anything behind it. */
async function refMeant(revision: string, repository: Repository): Promise<string | null> {
  const named = await withUpstreamNamed(revision, repository);
  if (named === 'HEAD' || named === '@') {
    const head = await repository.head();
    return head.kind === 'branch' ? head.ref : null;
  }
  for (const name of named === null ? [] : fullNames(named)) {
    if (name.startsWith('refs/') && (await repository.ref(name)) !== null) {
      return repository.refTarget(name);
    }
  }
  return null;
}
