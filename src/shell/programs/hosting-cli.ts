import type { ProgramReader } from '../call.ts';
import { beginningOf } from '../simple-command.ts';
import { runAsScript } from './program-script.ts';

/** `gh alias set p '!git push'`: a command of the shell, or (gh-alias-set(1)) one of gh's own. */
function aliasScript(words: readonly string[]): string | null {
  const isShell = words.some((word) => word === '-s' || word === '--shell');
  const [, expansion] = words.filter((word) => !/^(?:-s|--shell|--clobber)$/.test(word));
  if (expansion === undefined || expansion === '-') {
    return null;
  }
  return expansion.startsWith('!') ? expansion.slice(1) : isShell ? expansion : `gh ${expansion}`;
}

/**
 * `gh pr checkout N --force`: the branch becomes the one of the pull request, whatever it was, and what is not committed
 * is reset (gh-pr-checkout(1)).
 */
function checkoutScript(words: readonly string[]): string | null {
  if (!words.some((word) => word === '--force' || /^-[a-zA-Z]*f/.test(word))) {
    return null;
  }
  const at = words.findIndex((word) => /^(?:-b|--branch)(?:=|$)/.test(word));
  const branch = at < 0 ? null : (/=(.*)$/.exec(words[at] ?? '')?.[1] ?? words[at + 1] ?? null);
  const target = branch !== null && /^[\w./-]+$/.test(branch) ? branch : '*';
  const source = target === '*' ? 'refs/pull/*' : 'refs/pull/1/head';
  return `git fetch --update-head-ok origin '+${source}:refs/heads/${target}'; git reset --hard`;
}

/** `gh repo fork --remote`: the fork becomes `origin`, and what was `origin` is called `upstream` (gh-repo-fork(1)). */
function forkScript(words: readonly string[]): string | null {
  const takesName = words.some((word) => /^--remote(?:=true)?$/.test(word)) && !/^[^-]/.test(words[0] ?? '');
  const isNamed = words.some((word) => /^--remote-name(?:=(?!origin$)|$)/.test(word));
  return takesName && !isNamed ? 'git remote rename origin upstream' : null;
}

/** What a call of gh does to this repository by way of git. */
const readGh: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1).map(beginningOf);
  // The one alias that gh brings along: gh-alias(1).
  const [first, second, ...rest] = words[0] === 'co' ? ['pr', 'checkout', ...words.slice(1)] : words;
  const script = scripts.get(`${first} ${second}`)?.(rest) ?? null;
  return script === null ? null : runAsScript(script, `gh ${first} ${second}`, call, shell);
};

/** What commands of gh do, as lines of a shell. */
const scripts: ReadonlyMap<string, (words: readonly string[]) => string | null> = new Map([
  ['alias set', aliasScript],
  ['pr checkout', checkoutScript],
  ['repo fork', forkScript],
  ['pr co', checkoutScript],
]);

/** Rows for the table of carriers. */
export const hostingPrograms: readonly (readonly [string, ProgramReader])[] = [['gh', readGh]];
