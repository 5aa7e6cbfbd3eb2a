import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';
import { oxideGuard } from './guarded-repository.ts';

export type Turn = {
  readonly text?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly input: unknown }[];
};

/** A repository with a recording, and the sessions of its own. */
export function stage(turns: readonly Turn[]) {
  const { work, remote } = repositoryWithRemote();
  const state = temporaryDirectory();
  const record = (recorded: readonly Turn[]) => {
    writeFileSync(join(state, 'r.ndjson'), recorded.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  };
  record(turns);
  const env = { ...process.env, XDG_STATE_HOME: state, NO_COLOR: '1' };
  const words = (args: readonly string[]) => [
    oxideGuard,
    'agent',
    '--provider',
    `replay:${join(state, 'r.ndjson')}`,
    ...args,
  ];
  /** Without a terminal. */
  const run = (...args: string[]) => runWith({}, ...args);
  const runWith = (more: Readonly<Record<string, string>>, ...args: string[]) => {
    const result = spawnSync('setsid', ['-w', process.execPath, ...words(args)], {
      cwd: work,
      env: { ...env, ...more },
      encoding: 'utf8',
      input: '',
    });
    const lines = result.stdout.split('\n').filter((line) => line.startsWith('{'));
    return { ...result, events: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  };
  /** The same as a shell command, for a terminal. */
  const spelled = (...args: string[]) =>
    `XDG_STATE_HOME='${state}' ${[process.execPath, ...words(args)].map((word) => `'${word}'`).join(' ')}`;
  const sessions = () => join(state, 'oxide-guard', 'sessions');
  return { work, remote, state, env, words, spelled, run, runWith, record, sessions };
}

export const bash = (command: string): Turn => ({ tool_calls: [{ name: 'Bash', input: { command } }] });
export const streamed = ['--output', 'stream-json', '--permission-mode', 'bypass'] as const;
