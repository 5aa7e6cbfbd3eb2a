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
import { withoutClientOptions } from './client-options.ts';
import { givenVariables } from './given-variables.ts';
import type { Wrapper } from './wrapper.ts';
import { readWrapper } from './wrapper-reading.ts';
import type { GivenOption } from './wrapper-words.ts';

/** Options of `docker run` that stand alone; every other one takes a value: docker-run(1). */
const flags =
  /^(?:--(?:rm|detach|interactive|tty|init|privileged|read-only|no-healthcheck|oom-kill-disable|publish-all|quiet|sig-proxy|help|disable-content-trust)|-[ditPq]+)$/;

interface Run {
  readonly mounts: readonly GivenMount[];
  readonly workdir: string | null;
  readonly entrypoint: string | null;
  /** `-e NAME=VALUE`, `--env-file FILE` */
  readonly variables: readonly GivenOption[];
  /** The image and what follows it. */
  readonly operands: readonly Word[];
}

/** As an option says it. */
interface GivenMount extends Mount {
  readonly isReadOnly: boolean;
}

/** `NAME=VALUE`, or a name alone. */
function splitOnce(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
}

function mountOf(option: string, value: string): GivenMount | null {
  if (option === '--mount') {
    const fields = new Map(value.split(',').map((field) => splitOnce(field)));
    const [source, target] = [fields.get('source') ?? fields.get('src'), fields.get('target') ?? fields.get('dst')];
    const isReadOnly = ['readonly', 'ro'].some(
      (name) => fields.has(name) && !/^(?:false|0)$/.test(fields.get(name) ?? ''),
    );
    return source === undefined || target === undefined ? null : { source, target, isReadOnly };
  }
  const [source, target, options = ''] = value.split(':');
  const isDirectory = source !== undefined && /^[./~]/.test(source) && !source.endsWith('.sock');
  return isDirectory && target !== undefined ? { source, target, isReadOnly: /(?:^|,)ro(?:,|$)/.test(options) } : null;
}

function readRun(words: readonly Word[]): Run {
  const mounts: GivenMount[] = [];
  let workdir: string | null = null;
  let entrypoint: string | null = null;
  const variables: GivenOption[] = [];
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
    } else if (name === '-e' || name === '--env' || name === '--env-file') {
      variables.push({ name, values: [knownWord(value)] });
    }
  }
  return { mounts, workdir, entrypoint, variables, operands: words.slice(index) };
}

/** The mounts whose source is known. */
function placed(mounts: readonly GivenMount[], cwd: Directory): readonly GivenMount[] {
  return mounts.flatMap(({ source, target, isReadOnly }) => {
    const path = resolvePath(knownWord(source), cwd);
    const isKnown = path !== null && !source.startsWith('~');
    return isKnown ? [{ source: path, target: posix.resolve('/', target), isReadOnly }] : [];
  });
}

/** The container's directory: in the mount that holds it, or the first one where nothing tells; null: in none. */
function directoryIn({ workdir, ...run }: Run, cwd: Directory): Directory | null {
  const mounts = placed(run.mounts, cwd);
  const [first] = mounts;
  if (first === undefined) {
    return null;
  }
  if (mounts.every(({ isReadOnly }) => isReadOnly)) {
    // Nothing but a push leaves it.
    return { kind: 'unknown', reason: 'it is mounted read-only', isElsewhere: true };
  }
  const inside = posix.resolve('/', workdir ?? first.target);
  const path = hostPath(inside, { kind: 'known', path: '/', mounts });
  const isHeld = mounts.some(({ target }) => `${inside}/`.startsWith(`${target}/`));
  return isHeld ? { kind: 'known', path, mounts } : null;
}

/** What images start by themselves, by their names: their entry point, or the program that a bare run starts. */
const imagePrograms: ReadonlyMap<string, string> = new Map([
  ...['bash', 'node', 'ruby'].map((name) => [name, name] as const),
  ['python', 'python3'],
  ...['alpine', 'busybox', 'debian', 'ubuntu', 'fedora', 'archlinux'].map((name) => [name, 'sh'] as const),
]);

/** Images whose entry point hands options to that program: `docker run node -e …`. */
const takesOptions = /^(?:bash|node)$/;

/**
 * The command in a container. Images whose entry point is git are known by their name, and by words that do not begin
 * with `git` itself.
 */
function commandIn({ entrypoint, operands: [image, ...command] }: Run): readonly Word[] {
  const [, name = ''] = /(?:^|\/)([\w.-]+)(?:[:@][^/]*)?$/.exec(image?.kind === 'known' ? image.value : '') ?? [];
  const program = beginningOf(command[0]);
  const isGit = name === 'git' && program !== 'git';
  const isOwn = command.length === 0 || (program.startsWith('-') && takesOptions.test(name));
  const entry = entrypoint ?? (isGit ? 'git' : isOwn ? (imagePrograms.get(name) ?? '') : '');
  return entry === '' ? command : [knownWord(entry), ...command];
}

/** `docker run -v "$PWD:/src" -w /src IMAGE COMMAND`: the command works on what is mounted; what is created is started later. */
const runContainer: ProgramReader = (call: Call, shell) => {
  const program = programName(call.argv[0]) ?? '';
  const words = withoutClientOptions(program, call.argv.slice(1));
  const at = beginningOf(words[0]) === 'container' ? 1 : 0;
  if (!/^(?:run|create)$/.test(beginningOf(words[at]))) {
    return null;
  }
  const run = readRun(words.slice(at + 1));
  const cwd = directoryIn(run, call.state.cwd);
  const argv = commandIn(run);
  if (cwd === null || argv.length === 0) {
    return null;
  }
  const variables = givenVariables({ variables: ['-e', '--env'], files: ['--env-file'] }, run.variables, call, shell);
  shell.emitCommand(call);
  shell.run({
    ...call,
    argv,
    state: withAssignments(changed(call.state, { cwd }), variables),
    frame: through(call.frame, `${program} ${beginningOf(words[at])}`),
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
  environment: { variables: ['-e', '--env'], files: ['--env-file'], isElsewhere: true },
};
const runService: Wrapper = {
  short: 'elpuvw',
  long: [
    ...['--env', '--env-from-file', '--label', '--name', '--publish', '--user', '--volume', '--workdir'],
    ...['--entrypoint', '--cap-add', '--cap-drop', '--pull'],
  ],
  positional: 1,
  environment: { variables: ['-e', '--env'], files: ['--env-from-file'], isElsewhere: true },
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
  [
    'devcontainer',
    'exec',
    {
      long: ['--workspace-folder', '--container-id', '--config', '--remote-env'],
      environment: { variables: ['--remote-env'], isElsewhere: true },
    },
  ],
  ['distrobox', 'enter', { short: 'n', long: ['--name'], positional: 1 }, true],
  ['toolbox', 'run', { short: 'c', long: ['--container'] }, true],
  ['lima', '', {}, true],
  ['limactl', 'shell', { long: ['--workdir'], positional: 1 }, true],
  ['vagrant', 'ssh', { short: 'c', long: ['--command'], script: ['-c', '--command'], mixed: true }],
  ['flatpak-spawn', '', { environment: { variables: ['--env'] } }, true],
  ['wsl', '', { short: 'du', long: ['--distribution', '--user'] }, true],
];

const enter =
  (words: string, wrapper: Wrapper, sharesPaths = false): ProgramReader =>
  (call, shell) => {
    const names = words === '' ? [] : words.split(' ');
    const given =
      names.length === 0
        ? call.argv.slice(1)
        : withoutClientOptions(programName(call.argv[0]) ?? '', call.argv.slice(1));
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
