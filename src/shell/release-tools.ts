import { quoteWord } from '../quote.ts';
import type { ProgramReader } from './call.ts';
import { runAsScript } from './program-script.ts';
import { beginningOf } from './simple-command.ts';

/** What a tool's call pushes, as git's command line; null: nothing. */
type PushOf = (words: readonly string[]) => string | null;

const current = 'git push --follow-tags origin HEAD';
const has = (words: readonly string[], ...options: readonly string[]) =>
  words.some((word) => options.some((option) => word === option || word.startsWith(`${option}=`)));

function optionValue(words: readonly string[], ...options: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    const name = options.find((option) => word === option || word.startsWith(`${option}=`));
    if (name !== undefined) {
      return word === name ? (words[at + 1] ?? null) : word.slice(name.length + 1);
    }
  }
  return null;
}

/** Tools that push by themselves, a row each: what they do by their manuals unless an option says otherwise. */
const rows: Readonly<Record<string, PushOf>> = {
  lerna: (words) =>
    has(words, 'version', 'publish') && !has(words, '--no-push', '--no-git-tag-version', 'from-package', 'from-git')
      ? current
      : null,
  np: (words) => (has(words, '--preview', '--help', '--version') ? null : current),
  'release-it': (words) =>
    has(words, '-d', '--dry-run', '--no-git', '--no-git.push', '--git.push=false', '--help', '--version', '-v', '-h')
      ? null
      : current,
  'semantic-release': (words) => (has(words, '--no-ci') && !has(words, '-d', '--dry-run') ? current : null),
  bumpp: (words) => (has(words, '--no-push', '--push=false', '--no-commit', '-h', '--help') ? null : current),
  changelogen: (words) => (has(words, '--push') ? current : null),
  'gh-pages': (words) => {
    const branch = optionValue(words, '-b', '--branch') ?? 'gh-pages';
    const isForced = has(words, '-f', '--no-history');
    return has(words, '-d', '--dist') && !has(words, '-n', '--no-push')
      ? `git push${isForced ? ' --force' : ''} ${quoteWord(optionValue(words, '-o', '--remote') ?? 'origin')} ${quoteWord(`HEAD:refs/heads/${branch}`)}`
      : null;
  },
  /** Its own refs are leases. */
  jj: (words) => {
    const [first, second, ...rest] = words.filter((word) => word !== '--quiet');
    const branch = optionValue(rest, '-b', '--bookmark', '--named');
    if (first !== 'git' || second !== 'push' || has(rest, '--dry-run')) {
      return null;
    }
    const remote = quoteWord(optionValue(rest, '--remote') ?? 'origin');
    if (has(rest, '--deleted')) {
      return `git push --prune ${remote} 'refs/heads/*:refs/heads/*'`;
    }
    return has(rest, '--all', '--tracked')
      ? `git push --force-with-lease --all ${remote}`
      : branch === null
        ? null
        : `git push --force-with-lease ${remote} ${quoteWord(branch.replace(/^\w+:/, '').split('=')[0] ?? branch)}`;
  },
  sl: (words) => {
    const to = optionValue(words, '--to');
    return words[0] === 'push' && to !== null
      ? `git push${has(words, '-f', '--force') ? ' --force' : ''} origin ${quoteWord(`HEAD:refs/heads/${to.replace(/^remote\//, '')}`)}`
      : null;
  },
};

const readTool =
  (pushOf: PushOf): ProgramReader =>
  (call, shell) => {
    const push = pushOf(call.argv.slice(1).map(beginningOf));
    const [label = ''] = call.source.split(/\s/, 1);
    return push === null ? null : runAsScript(push, label, call, shell);
  };

/** Rows for the table of carriers: tools of a release that push. */
export const releaseTools: readonly (readonly [string, ProgramReader])[] = Object.entries(rows).map(
  ([name, pushOf]) => [name, readTool(pushOf)],
);
