import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cleanEnvironment } from './states/build.ts';

/** Programs that reach the network or need privileges: they only write down how they were called. */
const recorded = ['gh', 'hub', 'glab', 'curl', 'wget', 'http', 'oxide-guard', 'npx', 'ssh', 'docker', 'systemctl'];
/** Wrappers that the machine may lack or that ask for a password: they run their command as it is. */
const transparent: Record<string, string> = {
  sudo: 'while [ $# -gt 0 ]; do case "$1" in -u|-g) shift 2;; -*) shift;; *=*) export "$1"; shift;; *) break;; esac; done; exec "$@"',
  doas: 'while [ $# -gt 0 ]; do case "$1" in -u) shift 2;; -*) shift;; *) break;; esac; done; exec "$@"',
  su: 'while [ $# -gt 0 ]; do case "$1" in -c) exec sh -c "$2";; *) shift;; esac; done',
  watch: 'while [ $# -gt 0 ]; do case "$1" in -n) shift 2;; -*) shift;; *) break;; esac; done; exec sh -c "$*"',
  parallel: `command=
while [ $# -gt 0 ] && [ "$1" != ::: ]; do case "$1" in -j) shift;; *) command="$command $1";; esac; shift; done
[ $# -eq 0 ] && { while read -r line; do sh -c "$command $line"; done; exit; }
shift
for argument; do case "$command" in *'{}'*) sh -c "$(printf '%s' "$command" | sed "s|{}|$argument|g")";; *) sh -c "$command $argument";; esac; done`,
  firejail: 'exec "$@"',
  ionice: 'while [ $# -gt 0 ]; do case "$1" in -c|-n) shift 2;; -*) shift;; *) break;; esac; done; exec "$@"',
  unbuffer: 'exec "$@"',
};

/** Puts the stubs into `directory`, once for all sandboxes. */
export function writeStubs(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const write = (name: string, body: string) => {
    writeFileSync(join(directory, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(directory, name), 0o755);
  };
  for (const name of recorded) {
    write(name, `printf '%s\\n' "${name} $*" >>"$CALLS"`);
  }
  for (const [name, body] of Object.entries(transparent)) {
    write(name, body);
  }
}

/** Variables whose values a guard can't see in the command, but that a user's shell has. */
const unseen = {
  PAYLOAD: 'git push --force origin main',
  ARGUMENTS: 'push --force origin main',
  FORCE: '--force',
  TARGET: 'main',
};

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Paths that a command of the corpus may name (`/repos/…` belongs to an API); everything else must stay below the sandbox. */
const harmlessPaths =
  /^\/(dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)|bin\/(ba)?sh|usr\/bin\/(git|env|bash|sh|time|true)|repos\/o\/shop\/.*)$/;

/** Whether a path leads into a directory of this machine; `/reset --hard/` of a sed program does not. */
function exists(path: string): boolean {
  const [first] = path.split('/').filter(Boolean);
  return first === undefined ? path !== '//' : existsSync(`/${first}`);
}

/** Absolute paths and climbs out of the sandbox that `command` names; empty when it is safe to run. */
export function pathsOutside(command: string): string[] {
  const absolute = [...command.matchAll(/(?<=^|[\s"'=`(<>;|&])\/[\w./-]*/g)].map(([path]) => path);
  const climbs = [...command.matchAll(/\.\.\/\.\.(?!\/origin\.git)/g)].map(([path]) => path);
  return [...absolute.filter((path) => exists(path) && !harmlessPaths.test(path)), ...climbs];
}

/** Runs `command` with bash in the sandbox's work tree, for at most twenty seconds, with nothing of this machine's settings. */
export async function runIn(sandbox: string, stubs: string, command: string): Promise<Outcome> {
  const outside = pathsOutside(command);
  if (outside.length > 0) {
    throw new Error(`refused to run a command that names ${outside.join(', ')}`);
  }
  const environment = cleanEnvironment(sandbox);
  const execPath = '/usr/lib/git-core';
  const child = spawn('bash', ['-c', command], {
    cwd: join(sandbox, 'work'),
    env: {
      ...environment,
      ...unseen,
      PATH: [stubs, environment.PATH, existsSync(execPath) ? execPath : ''].filter(Boolean).join(delimiter),
      CALLS: join(sandbox, 'calls'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const killer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 20_000);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(killer);
  return { code, output };
}
