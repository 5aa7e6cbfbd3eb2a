import { posix } from 'node:path';
import { type Call, type ProgramReader, through } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { resolvePath } from '../path-resolution.ts';
import { changed, either } from '../shell-state.ts';
import {
  beginningOf,
  type Directory,
  hostPath,
  knownWord,
  type Mount,
  programName,
  type Word,
} from '../simple-command.ts';
import type { Wrapper } from './wrapper.ts';
import { readWrapper } from './wrapper-reading.ts';

/** Options of `docker run` that stand alone; every other one takes a value: docker-run(1). */
const flags =
  /^(?:--(?:rm|detach|interactive|tty|init|privileged|read-only|no-healthcheck|oom-kill-disable|publish-all|quiet|sig-proxy|help|disable-content-trust)|-[ditPq]+)$/;

interface Run {
  readonly mounts: readonly Mount[];
  readonly workdir: string | null;
  readonly entrypoint: string | null;
  /** `-e NAME=VALUE` */
  readonly variables: ReadonlyMap<string, Word>;
  /** The image and what follows it. */
  readonly operands: readonly Word[];
}

function mountOf(option: string, value: string): Mount | null {
  if (option === '--mount') {
    const fields = new Map(value.split(',').map((field) => field.split('=', 2) as [string, string]));
    const [source, target] = [fields.get('source') ?? fields.get('src'), fields.get('target') ?? fields.get('dst')];
    return source === undefined || target === undefined ? null : { source, target };
  }
  const [source, target] = value.split(':');
  const isDirectory = source !== undefined && /^[./~]/.test(source) && !source.endsWith('.sock');
  return isDirectory && target !== undefined ? { source, target } : null;
}

function readRun(words: readonly Word[]): Run {
  const mounts: Mount[] = [];
  let workdir: string | null = null;
  let entrypoint: string | null = null;
  const variables = new Map<string, Word>();
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index];
    const text = beginningOf(word);
    if (!text.startsWith('-')) {
      break;
    }
    const [, name = '', attached] = /^(--[\w-]+|-[vwe])(?:=?([\s\S]+))?$/.exec(text) ?? [];
    const next = words[index + 1];
    const value = attached ?? (next?.kind === 'known' ? next.value : '');
    index += attached !== undefined || flags.test(text) || text.includes('=') ? 0 : 1;
    if (['-v', '--volume', '--mount'].includes(name)) {
      mounts.push(...[mountOf(name, value)].filter((mount) => mount !== null));
    } else if (name === '-w' || name === '--workdir') {
      workdir = value;
    } else if (name === '--entrypoint') {
      entrypoint = value;
    } else if ((name === '-e' || name === '--env') && value.includes('=')) {
      variables.set(value.slice(0, value.indexOf('=')), knownWord(value.slice(value.indexOf('=') + 1)));
    }
  }
  return { mounts, workdir, entrypoint, variables, operands: words.slice(index) };
}

/** The mounts whose source is known. */
function placed(mounts: readonly Mount[], cwd: Directory): readonly Mount[] {
  return mounts.flatMap(({ source, target }) => {
    const path = resolvePath(knownWord(source), cwd);
    return path === null || source.startsWith('~') ? [] : [{ source: path, target: posix.resolve('/', target) }];
  });
}

/** The container's directory: in the mount that holds it, or the first one where nothing tells; null: in none. */
function directoryIn({ workdir, ...run }: Run, cwd: Directory): Directory | null {
  const mounts = placed(run.mounts, cwd);
  const [first] = mounts;
  if (first === undefined) {
    return null;
  }
  const inside = posix.resolve('/', workdir ?? first.target);
  const path = hostPath(inside, { kind: 'known', path: '/', mounts });
  const isHeld = mounts.some(({ target }) => `${inside}/`.startsWith(`${target}/`));
  return isHeld ? { kind: 'known', path, mounts } : null;
}

/**
 * `docker run -v "$PWD:/src" -w /src IMAGE COMMAND`: the command works on what is mounted. Images whose entry point is
 * git are known by their name, and by words that do not begin with `git` itself.
 */
const runContainer: ProgramReader = (call: Call, shell) => {
  const [, first, ...rest] = call.argv;
  if (first?.kind !== 'known' || first.value !== 'run') {
    return null;
  }
  const run = readRun(rest);
  const [image, ...command] = run.operands;
  const cwd = directoryIn(run, call.state.cwd);
  const isGit = image?.kind === 'known' && /(?:^|\/)git(?::|$)/.test(image.value) && beginningOf(command[0]) !== 'git';
  const entry = run.entrypoint ?? (isGit ? 'git' : null);
  const argv = entry === null || entry === '' ? command : [knownWord(entry), ...command];
  if (cwd === null || argv.length === 0) {
    return null;
  }
  shell.emitCommand(call);
  shell.run({
    ...call,
    argv,
    state: withAssignments(changed(call.state, { cwd }), run.variables),
    frame: through(call.frame, `${call.source.split(/\s/)[0]} run`),
    lookup: 'programs',
  });
  return either(call.state);
};

/** The directory here as the container may see it: what is mounted, and where, can't be told from the line. */
function inContainer(call: Call): Call {
  const { cwd } = call.state;
  return cwd.kind === 'known' ? { ...call, state: changed(call.state, { cwd: { ...cwd, isMounted: true } }) } : call;
}

const execute: Wrapper = {
  short: 'euw',
  long: ['--env', '--env-file', '--user', '--workdir', '--detach-keys', '--index'],
  positional: 1,
};
const runService: Wrapper = {
  short: 'elpuvw',
  long: [
    ...['--env', '--env-from-file', '--label', '--name', '--publish', '--user', '--volume', '--workdir'],
    ...['--entrypoint', '--cap-add', '--cap-drop', '--pull'],
  ],
  positional: 1,
};
const composeOptions = {
  short: 'fp',
  long: ['--file', '--project-name', '--profile', '--env-file', '--project-directory', '--ansi', '--progress'],
};

/** A command in a container that runs already, or in a service: the repository may well be mounted there. */
const rows: readonly (readonly [program: string, words: string, wrapper: Wrapper, sharesPaths?: true])[] = [
  ...['docker', 'podman', 'nerdctl'].flatMap((name): [string, string, Wrapper][] => [
    [name, 'exec', execute],
    [name, 'container exec', execute],
  ]),
  ...['docker compose', 'podman compose', 'nerdctl compose', 'docker-compose', 'podman-compose'].flatMap(
    (name): [string, string, Wrapper][] => {
      const [program = '', ...words] = name.split(' ');
      const inside = (verb: string) => [...words, verb].join(' ');
      return [
        [program, inside('exec'), execute],
        [program, inside('run'), runService],
      ];
    },
  ),
  ['devcontainer', 'exec', { long: ['--workspace-folder', '--container-id', '--config', '--remote-env'] }],
  ['distrobox', 'enter', { short: 'n', long: ['--name'], positional: 1 }, true],
  ['toolbox', 'run', { short: 'c', long: ['--container'] }, true],
  ['lima', '', {}, true],
  ['limactl', 'shell', { long: ['--workdir'], positional: 1 }, true],
  ['vagrant', 'ssh', { short: 'c', long: ['--command'], script: ['-c', '--command'], mixed: true }],
  ['flatpak-spawn', '', {}, true],
  ['wsl', '', { short: 'du', long: ['--distribution', '--user'] }, true],
];

/** Options of the program itself that stand before the words of a row: `docker compose -f FILE exec`. */
function withoutOwnOptions(words: readonly Word[]): readonly Word[] {
  const kept: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    if (!text.startsWith('-')) {
      kept.push(words[index] as Word);
      if (kept.length === 2 || (kept.length === 1 && text !== 'compose' && text !== 'container')) {
        return [...kept, ...words.slice(index + 1)];
      }
    } else if (composeOptions.long.includes(text) || composeOptions.short.includes(text.slice(1))) {
      index += 1;
    }
  }
  return kept;
}

const enter =
  (words: string, wrapper: Wrapper, sharesPaths = false): ProgramReader =>
  (call, shell) => {
    const names = words === '' ? [] : words.split(' ');
    const given = names.length === 0 ? call.argv.slice(1) : withoutOwnOptions(call.argv.slice(1));
    if (names.some((name, index) => beginningOf(given[index]) !== name)) {
      return null;
    }
    const label = [programName(call.argv[0]) ?? '', ...names].join(' ');
    shell.emitCommand(call);
    const inner = { ...call, argv: [knownWord(label), ...given.slice(names.length)] };
    readWrapper(label, wrapper, sharesPaths ? inner : inContainer(inner), shell);
    return either(call.state);
  };

/** Rows for the table of carriers. */
export const containerPrograms: readonly (readonly [string, ProgramReader])[] = [
  ...['docker', 'podman', 'nerdctl'].map((name): [string, ProgramReader] => [name, runContainer]),
  ...rows.map(([program, words, wrapper, sharesPaths]): [string, ProgramReader] => [
    program,
    enter(words, wrapper, sharesPaths),
  ]),
];
