import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prelude, type State, type StateName, states } from './states.ts';

const run = promisify(execFile);

const usualPath = '/usr/local/bin:/usr/bin:/bin';
/** Another git than the machine's: the directory that has it. README.md tells how to use it. */
const gitUnderTest = process.env.CORPUS_GIT;
/** How git keeps refs and names objects where nothing else is said: git(1). */
const formats = ['GIT_DEFAULT_REF_FORMAT', 'GIT_DEFAULT_HASH'].flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value] as const];
});

/** The only environment that a builder or a row of the corpus sees. `home` is the sandbox. */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    HOME: join(home, 'home'),
    TMPDIR: join(home, 'tmp'),
    PATH: gitUnderTest === undefined ? usualPath : `${gitUnderTest}:${usualPath}`,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm',
    EDITOR: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: home,
    FILTER_BRANCH_SQUELCH_WARNING: '1',
    HOOKS_RAN: join(home, 'hooks-ran'),
    ...Object.fromEntries(formats),
  };
}

/** Remotes are directories here; `protocol.file.allow` lets submodule commands reach them as they reach a server. */
const userConfiguration =
  '[user]\n\tname = Ada Author\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n';

/** Templates of the states below one directory, each built once, on demand, and copied for every use. */
export class StateTemplates {
  readonly #root: string;
  readonly #built = new Set<StateName>();
  #copies = 0;

  /** `root`: an existing empty directory, which the caller removes. */
  constructor(root: string) {
    this.#root = root;
    mkdirSync(join(root, 'templates'), { recursive: true });
    mkdirSync(join(root, 'copies'), { recursive: true });
  }

  /** The template's sandbox: for looking only. */
  template(name: StateName): string {
    const sandbox = join(this.#root, 'templates', name);
    if (!this.#built.has(name)) {
      this.#build(name, sandbox);
      this.#built.add(name);
    }
    return sandbox;
  }

  /** A fresh copy of the state's sandbox: `work/` and its remotes, `home/`, `tmp/`. */
  async copy(name: StateName): Promise<string> {
    const template = this.template(name);
    this.#copies += 1;
    const sandbox = join(this.#root, 'copies', `${this.#copies}-${name}`);
    await run('sh', ['-c', copying, 'sh', template, sandbox], { env: cleanEnvironment(sandbox) });
    relocateWorktrees(sandbox, template);
    return sandbox;
  }

  #build(name: StateName, sandbox: string): void {
    const state: State = states[name];
    if (state.from === null) {
      for (const directory of ['', 'work', 'home', 'tmp']) {
        mkdirSync(join(sandbox, directory));
      }
      writeFileSync(join(sandbox, 'home', '.gitconfig'), userConfiguration);
    } else {
      const template = this.template(state.from);
      execFileSync('cp', ['-a', template, sandbox]);
      relocateWorktrees(sandbox, template);
    }
    const step = depth(name);
    execFileSync('bash', ['-c', `${prelude}\n${state.script}`], {
      cwd: join(sandbox, 'work'),
      env: { ...cleanEnvironment(sandbox), STEP: String(step), ...fixedDates(step) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    refuseAbsolutePaths(name, sandbox);
  }
}

/** A copy's files have another inode and change time than the index knows; plumbing would take them for changed. */
const copying = `cp -a "$1" "$2" || exit
cd "$2"/work && [ -e .git/index ] && git update-index -q --refresh >/dev/null 2>&1
exit 0`;

/** A copy whose configuration names its template would harm the template. */
function refuseAbsolutePaths(name: StateName, sandbox: string): void {
  const configurations = readdirSync(sandbox, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|\/)config$/.test(path),
  );
  for (const path of configurations) {
    if (readFileSync(join(sandbox, path), 'utf8').includes(sandbox)) {
      throw new Error(`state ${name}: ${path} names an absolute path`);
    }
  }
}

function depth(name: StateName): number {
  const { from }: State = states[name];
  return from === null ? 0 : depth(from) + 1;
}

function fixedDates(step: number): Record<string, string> {
  const date = `@${1_700_000_000 + step * 10_000 + 5000} +0000`;
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

/** Linked work trees name each other by absolute paths: those move with the copy. They lie beside `work/` or in it. */
function relocateWorktrees(sandbox: string, template: string): void {
  for (const administration of ['.git', '.bare'].map((store) => join(sandbox, 'work', store, 'worktrees'))) {
    for (const name of existsSync(administration) ? readdirSync(administration) : []) {
      const trees = [join(sandbox, name, '.git'), join(sandbox, 'work', name, '.git')];
      for (const file of [join(administration, name, 'gitdir'), ...trees].filter((place) => existsSync(place))) {
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(template, sandbox));
      }
    }
  }
}
