import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type InstallReport, type InstallRequest, install } from '../../src/githooks/install.ts';
import { temporaryDirectory } from '../git/fixture.ts';

/** JavaScript that takes what a hook's script gives its program: `argv` in git's words, `updates()` for git's list. */
export const takeCall = `
const { appendFileSync, readFileSync } = require('node:fs');
const isPrepared = process.argv[2] === '--prepared';
const argv = process.argv.slice(isPrepared ? 3 : 2);
function updates() {
  const answers = isPrepared ? readFileSync(4, 'utf8') : '';
  const begun = isPrepared ? answers.slice('updates\\n'.length, answers.indexOf('\\0')) : '';
  return begun + readFileSync(0, 'utf8');
}
`;

/** The hook's program as a stand-in: it notes how it was started, and refuses what holds the word `refused`. */
const stubProgram = (name: string) => `
${takeCall}
const input = ${name === 'commit-msg' ? 'readFileSync(argv[0], "utf8")' : 'argv[0] === "update" ? argv.join(" ") : updates()'};
appendFileSync(process.env.TRACE, JSON.stringify({ by: 'guard', argv, input, ca: process.env.NODE_EXTRA_CA_CERTS ?? null }) + '\\n');
process.exit(input.includes('refused') ? 1 : 0);
`;

/** A package like the published one, with stand-ins for its hook programs. */
export function stubPackage(directory = join(temporaryDirectory(), 'oxide-guard')): string {
  mkdirSync(join(directory, 'dist', 'hook'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{"name":"oxide-guard"}');
  cpSync('hooks', join(directory, 'hooks'), { recursive: true });
  writeFileSync(join(directory, 'dist', 'hook', 'commit-msg.cjs'), stubProgram('commit-msg'));
  writeFileSync(join(directory, 'dist', 'hook', 'push.cjs'), stubProgram('push'));
  return directory;
}

export function installIn(cwd: string, more: Partial<InstallRequest> = {}): Promise<InstallReport> {
  return install({
    cwd,
    env: process.env,
    hooks: null,
    server: false,
    dryRun: false,
    node: process.execPath,
    packageRoot: more.packageRoot ?? stubPackage(),
    ...more,
  });
}

/** A shell hook that notes how it was started, and refuses what holds the word `unwanted`. */
export const ownHook = (name = 'own') => `#!/bin/sh
case $0 in
  *commit-msg*) input=$(cat "$1") ;;
  *) input=$(cat) ;;
esac
printf '{"by":"%s","argv":"%s"}\\n' '${name}' "$*" >> "$TRACE"
case $input in *unwanted*) exit 3 ;; esac
`;

export function writeHook(path: string, content: string | Buffer, mode = 0o755): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

export interface Run {
  readonly status: number | null;
  readonly stderr: string;
  /** What the hooks noted, in order. */
  readonly trace: readonly Trace[];
}

interface Trace {
  readonly by: string;
  readonly argv: readonly string[] | string;
  readonly input?: string;
  readonly ca?: string | null;
}

/** Runs git (or another program) with a fresh trace. */
export function run(cwd: string, command: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Run {
  const trace = join(temporaryDirectory(), 'trace');
  const [program = '', ...args] = command;
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TRACE: trace, ...env },
    ...(input === undefined ? {} : { input }),
  });
  const lines = existsSync(trace) ? readFileSync(trace, 'utf8').split('\n').filter(Boolean) : [];
  return { status, stderr, trace: lines.map((line) => JSON.parse(line) as Trace) };
}

export function tryCommit(cwd: string, message: string, env: NodeJS.ProcessEnv = {}): Run {
  return run(cwd, ['git', 'commit', '--allow-empty', '-m', message], env);
}

export const by = ({ trace }: Run) => trace.map((line) => line.by);
