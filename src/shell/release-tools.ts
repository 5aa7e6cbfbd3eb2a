import { quoteWord } from '../quote.ts';
import type { ProgramReader } from './call.ts';
import { runAsScript } from './program-script.ts';
import { beginningOf } from './simple-command.ts';

/** What a tool's call pushes, or commits without hooks, as git's command line; null: nothing of that. */
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

const unchecked = 'git commit --no-verify -m "chore: release"';

/** Tools that commit: only what they are told to skip counts here, the hooks see the rest. */
const uncheckedWith =
  (...options: readonly string[]): PushOf =>
  (words) =>
    has(words, ...options) && !has(words, '--dry-run', '--help') ? unchecked : null;

const packageVersion: PushOf = (words) =>
  has(words, 'version') && has(words, '--no-commit-hooks', '--commit-hooks=false') ? unchecked : null;

/** `commit -n` behind a `--` of its own. */
const passesNoVerify: PushOf = (words) => {
  const passed = words.includes('--') ? words.slice(words.indexOf('--')) : words.slice(-1);
  return has(words, '--no-verify') || has(passed, '-n') ? unchecked : null;
};

/** What publishes a directory on a branch of its own. */
function published(words: readonly string[], isForced: boolean): string {
  const branch = optionValue(words, '-b', '--branch', '--remote-branch') ?? 'gh-pages';
  const remote = optionValue(words, '-r', '--remote', '--remote-name') ?? 'origin';
  return `git push${isForced ? ' --force' : ''} ${quoteWord(remote)} ${quoteWord(`HEAD:refs/heads/${branch}`)}`;
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
  'angular-cli-ghpages': (words) => (has(words, '--dry-run', '--no-push') ? null : published(words, false)),
  mkdocs: (words) => (words[0] === 'gh-deploy' ? published(words, has(words, '--force', '--no-history')) : null),
  mike: (words) => (has(words, '-p', '--push') ? published(words, false) : null),
  'ghp-import': (words) => {
    const bundled = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('');
    const isForced = bundled.includes('f') || has(words, '--force', '--no-history');
    return bundled.includes('p') || has(words, '--push') ? published(words, isForced) : null;
  },
  'standard-version': uncheckedWith('-n', '--no-verify', '--noVerify'),
  'commit-and-tag-version': uncheckedWith('-n', '--no-verify', '--noVerify'),
  'git-cz': uncheckedWith('-n', '--no-verify'),
  czg: uncheckedWith('-n', '--no-verify'),
  cz: passesNoVerify,
  npm: packageVersion,
  pnpm: packageVersion,
  yarn: packageVersion,
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
