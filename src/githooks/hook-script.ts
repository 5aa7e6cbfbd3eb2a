import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusArguments } from '../git/contents/status.ts';
import { divergenceArguments } from '../git/history/divergence.ts';
import { endOfAnswer } from '../git/push/prepared-answers.ts';
import { outgoingArguments, outgoingRange } from '../git/push/push-history.ts';
import type { Environment } from '../git/runner.ts';
import { pinnedEnvironment, pinnedSettings, storedHistory } from '../git/settings/pinned-settings.ts';
import { fastStart, unknownOption } from '../node-start.ts';
import { quoteWord } from '../quote.ts';
import type { HookName } from './hook-name.ts';

/** What an installed hook script has written into it. */
export interface HookScript {
  readonly hook: HookName;
  /** Absolute path of the node that ran the installation. */
  readonly node: string;
  readonly packagePlace: PackagePlace;
  /** File name, beside the hook, of the hook that was there before. */
  readonly kept: string | null;
  /** The shell (`/bin/sh -e`) that must read the kept hook under its former name; null: it is started as a program. */
  readonly keptShell: string | null;
}

/** Where a hook finds the package's files. */
export interface PackagePlace {
  /** Relative to the top of the work tree: the same in every worktree and clone. */
  readonly local: string;
  /** Absolute: this machine's, where the local one is absent. */
  readonly recorded: string;
}

const bundles: Readonly<Record<HookName, string>> = {
  'commit-msg': 'commit-msg.cjs',
  'pre-push': 'push.cjs',
  'pre-receive': 'push.cjs',
  update: 'push.cjs',
};

const signature = '# oxide-guard: the ';

/**
 * The script that git runs: the template of the package with its values filled in.
 *
 * @param packageRoot absolute directory of the package, which holds `hooks/git-hook.sh`
 */
export function renderHookScript(script: HookScript, packageRoot: string): string {
  const values: Readonly<Record<string, string>> = {
    hook: script.hook,
    bundle: bundles[script.hook],
    node: shellPath(script.node),
    localPackage: shellPath(script.packagePlace.local),
    package: shellPath(script.packagePlace.recorded),
    kept: script.kept ?? '',
    keptShell: script.keptShell ?? '',
    // A process that the shell of Git for Windows starts takes longer than node has any use for.
    prepares: process.platform === 'win32' ? '' : 'yes',
    fastStart,
    unknownOption: String(unknownOption),
  };
  // A checkout may have turned the template's line ends: sh takes a carriage return for part of the word before it.
  const template = readFileSync(join(packageRoot, 'hooks', 'git-hook.sh'), 'utf8').replaceAll('\r\n', '\n');
  return template.replace(/@(\w+)@/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? (preparation[name] ?? placeholder) : quoteWord(value);
  });
}

/** Words for a shell, in which `$name` stands for a variable of the script. */
const inShell = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' ');

function assignments(variables: Environment): string {
  return Object.entries(variables)
    .map(([name, value]) => (value === undefined ? `unset ${name}` : `export ${name}=${value}`))
    .join('; ');
}

/** The questions that the script asks git, word for word as the program would: parts of the script as they stand. */
const preparation: Readonly<Record<string, string>> = {
  endOfAnswer: endOfAnswer.replaceAll('\n', '\\n').replaceAll('\0', '\\000'),
  gitEnvironment: assignments(pinnedEnvironment),
  storedHistory: assignments(storedHistory),
  shownHistory: `unset ${Object.keys(storedHistory).join(' ')}`,
  gitSettings: inShell(pinnedSettings.flatMap((setting) => ['-c', setting])),
  divergence: inShell(divergenceArguments('$remote_oid', '$local_oid')),
  outgoing: inShell(outgoingArguments(outgoingRange('$local_oid', '$remote_oid'))),
  outgoingOfNewRef: inShell(outgoingArguments(outgoingRange('$local_oid', null))),
  status: inShell(statusArguments),
};

/** Did `install` write this file? Also true when somebody has changed it since. */
export function isHookScript(content: Buffer | string): boolean {
  const head = typeof content === 'string' ? content.slice(0, 200) : content.subarray(0, 200).toString('latin1');
  return head.split(/\r?\n/, 2)[1]?.startsWith(signature) ?? false;
}

/** The same script without the hook that was there before: for trying the guard alone. */
export function withoutKeptHook(script: string): string {
  return script.replace(/^kept=.*$/m, "kept=''");
}

export function digest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The shell of Git for Windows reads `C:/Program Files/…`; a backslash would need care in every place it passes. */
function shellPath(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
