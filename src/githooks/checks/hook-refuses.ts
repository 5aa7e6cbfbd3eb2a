import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Check, type Diagnosis, type Examined, failure, fine, installCommand } from '../doctor.ts';
import type { HookName } from '../hook-name.ts';
import { withoutKeptHook } from '../hook-script.ts';
import { readHookState } from '../hook-state.ts';
import { hookPathOfGit } from '../hooks-directory.ts';
import { type ThrowawayRepository, withThrowawayRepository } from './throwaway-repository.ts';

const started = 'hook-started';
const refuses = 'hook-refuses';
const timeout = 30_000;

/**
 * Do the installed hooks find node and the package when they are started as a graphical client does, and do they refuse
 * what they must? Every installed hook is really run, on a throw-away repository and without the hook it is chained to.
 */
export const hookRefuses: Check = {
  name: refuses,
  async examine(examined) {
    const scripts = await installedScripts(examined);
    if (scripts.length === 0) {
      return [];
    }
    const path = (await examined.git.text(['--exec-path'])).trim();
    return withThrowawayRepository(examined.env, async (repository) => {
      const diagnoses = await Promise.all(
        scripts.map(({ hook, path: hookPath }) => tryHook({ hook, hookPath, path, repository, examined })),
      );
      return diagnoses.flat();
    });
  },
};

async function installedScripts({ hooks, git }: Examined) {
  const found = await Promise.all(
    hooks.map(async (hook) => {
      const path = await hookPathOfGit(git, hook);
      const state = readHookState(path);
      if (state.kind === 'ours') {
        return { hook, path };
      }
      return state.kind === 'behind-pre-commit' ? { hook, path: state.path } : null;
    }),
  );
  return found.filter((script) => script !== null);
}

interface Trial {
  readonly hook: HookName;
  readonly hookPath: string;
  /** PATH as git leaves it to hooks when it had none: its own programs. */
  readonly path: string;
  readonly repository: ThrowawayRepository;
  readonly examined: Examined;
}

async function tryHook(trial: Trial): Promise<readonly Diagnosis[]> {
  const { hook, examined } = trial;
  const { words, input, attempt } = attemptFor(trial);
  const { exitCode, stderr } = await start(trial, words, input);
  const [said = ''] = stderr.split('\n').map((line) => line.replace(/^oxide-guard: /, ''));
  if (stderr.includes(`so the ${hook} hook cannot check anything and refuses.`)) {
    return [failure(started, `${hook}, started with an empty PATH: ${said}`, installCommand(examined))];
  }
  const found = fine(started, `${hook}, started with an empty PATH, finds node and the package`);
  if (/hook could not do its work/.test(stderr)) {
    return [found, failure(refuses, said, 'npx oxide-guard config print')];
  }
  if (exitCode === 0) {
    const remedy = 'npx oxide-guard config print   # is a rule switched off?';
    return [found, failure(refuses, `${hook} let ${attempt} pass`, remedy)];
  }
  // Whatever ends badly refuses: a program that crashed did not judge. Node ends such a report with its own version.
  return stderr.trim() === '' || /^Node\.js v\d/m.test(stderr)
    ? [failure(started, `${hook} ends with exit code ${exitCode} and no verdict: ${said}`, installCommand(examined))]
    : [found, fine(refuses, `${hook} refuses ${attempt}`)];
}

/** What the hook is given, as git gives it: githooks(5). */
function attemptFor({ hook, repository }: Trial): {
  readonly words: readonly string[];
  readonly input: string;
  readonly attempt: string;
} {
  const [before, after] = repository.commits;
  const attempt = 'a forced push to main';
  switch (hook) {
    case 'commit-msg': {
      const file = join(repository.gitDir, 'COMMIT_EDITMSG');
      writeFileSync(file, 'this message has no type\n');
      return { words: [file], input: '', attempt: 'a message without a type' };
    }
    case 'pre-push':
      return {
        words: ['origin', 'https://oxide-guard.invalid/repository.git'],
        input: `refs/heads/main ${after} refs/heads/main ${before}\n`,
        attempt,
      };
    case 'pre-receive':
      return { words: [], input: `${before} ${after} refs/heads/main\n`, attempt };
    case 'update':
      return { words: ['refs/heads/main', before, after], input: '', attempt };
  }
}

/** A session of its own has no terminal: whatever the hook would ask goes unanswered. */
function start({ hookPath, path, repository, examined }: Trial, words: readonly string[], input: string) {
  const script = withoutKeptHook(readFileSync(hookPath, 'utf8'));
  const child = spawn(process.platform === 'win32' ? 'sh' : '/bin/sh', ['-c', script, hookPath, ...words], {
    cwd: examined.repository.workTree ?? examined.repository.gitDir,
    env: { PATH: path, HOME: homedir(), GIT_DIR: repository.gitDir, GIT_EDITOR: ':' },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    timeout,
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise<{ readonly exitCode: number | null; readonly stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}
