import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './fixture.ts';

/** One call of pre-push, as git made it. */
export interface RecordedCall {
  readonly remote: string;
  readonly url: string;
  readonly lines: string;
  /** The hook's directory and environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Pushes for real under a pre-push hook that writes down what git tells it.
 *
 * @returns every call (one for each push URL); none where git never came that far
 */
export function recordPush(cwd: string, args: readonly string[]): { calls: readonly RecordedCall[]; stderr: string } {
  const directory = join(gitDirOf(cwd), 'recorded');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'hooks'), { recursive: true });
  const hook = join(directory, 'hooks', 'pre-push');
  writeFileSync(
    hook,
    `#!/bin/sh\nn=1; while [ -e '${directory}/'$n.lines ]; do n=$((n+1)); done\nprintf '%s\\n%s' "$1" "$2" > '${directory}/'$n.call\nenv -0 > '${directory}/'$n.env\npwd > '${directory}/'$n.cwd\ncat > '${directory}/'$n.lines\n`,
  );
  chmodSync(hook, 0o755);
  const words = ['-c', `core.hooksPath=${directory}/hooks`, ...args];
  const { stderr } = spawnSync('git', words, { cwd, encoding: 'utf8' });
  const calls: RecordedCall[] = [];
  for (let number = 1; existsSync(join(directory, `${number}.lines`)); number += 1) {
    const [remote = '', url = ''] = readFileSync(join(directory, `${number}.call`), 'utf8').split('\n');
    const text = (name: string) => readFileSync(join(directory, `${number}.${name}`), 'utf8');
    const variables = text('env')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s).slice(0, 2));
    calls.push({
      remote,
      url,
      lines: text('lines'),
      cwd: text('cwd').slice(0, -1),
      env: Object.fromEntries(variables),
    });
  }
  return { calls, stderr };
}

function gitDirOf(cwd: string): string {
  const ordinary = join(cwd, '.git');
  return statSync(ordinary, { throwIfNoEntry: false })?.isDirectory()
    ? ordinary
    : git(cwd, 'rev-parse', '--absolute-git-dir');
}
