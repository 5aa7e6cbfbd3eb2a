import { type Call, type ProgramReader, through } from './call.ts';
import { either } from './shell-state.ts';
import { beginningOf, type Directory, knownWord, type Word } from './simple-command.ts';

/** Options of `docker run` that stand alone; every other one takes a value: docker-run(1). */
const flags =
  /^(?:--(?:rm|detach|interactive|tty|init|privileged|read-only|no-healthcheck|oom-kill-disable|publish-all|quiet|sig-proxy|help|disable-content-trust)|-[ditPq]+)$/;

interface Mount {
  readonly source: string;
  readonly target: string;
}

interface Run {
  readonly mounts: readonly Mount[];
  readonly workdir: string | null;
  readonly entrypoint: string | null;
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
  return source !== undefined && target !== undefined && /^[./~]/.test(source) ? { source, target } : null;
}

function readRun(words: readonly Word[]): Run {
  const mounts: Mount[] = [];
  let workdir: string | null = null;
  let entrypoint: string | null = null;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index];
    const text = beginningOf(word);
    if (!text.startsWith('-')) {
      break;
    }
    const [, name = '', attached] = /^(--[\w-]+|-[vw])(?:=?([\s\S]+))?$/.exec(text) ?? [];
    const next = words[index + 1];
    const value = attached ?? (next?.kind === 'known' ? next.value : '');
    index += attached !== undefined || flags.test(text) || text.includes('=') ? 0 : 1;
    if (['-v', '--volume', '--mount'].includes(name)) {
      mounts.push(...[mountOf(name, value)].filter((mount) => mount !== null));
    } else if (name === '-w' || name === '--workdir') {
      workdir = value;
    } else if (name === '--entrypoint') {
      entrypoint = value;
    }
  }
  return { mounts, workdir, entrypoint, operands: words.slice(index) };
}

/** Where a directory of the container lies here: in the mount that holds it, or in the only one where nothing tells. */
function hostDirectory({ mounts, workdir }: Run, cwd: Directory): Directory | null {
  const mount = mounts.find(
    ({ target }) => workdir === null || `${workdir}/`.startsWith(`${target.replace(/\/$/, '')}/`),
  );
  if (mount === undefined || (mount.source.startsWith('.') && cwd.kind === 'unknown')) {
    return null;
  }
  const start = cwd.kind === 'known' ? cwd.path : '';
  const source = mount.source.startsWith('/') ? mount.source : `${start}/${mount.source.replace(/^\.(?:\/|$)/, '')}`;
  const below = workdir === null ? '' : workdir.slice(mount.target.replace(/\/$/, '').length);
  return { kind: 'known', path: (source + below).replace(/\/$/, '') };
}

/**
 * `docker run -v "$PWD:/src" -w /src IMAGE COMMAND`: the command works on what is mounted. Images whose entry point is
 * git are known by their name.
 */
const runContainer: ProgramReader = (call: Call, shell) => {
  const [, first, ...rest] = call.argv;
  if (first?.kind !== 'known' || first.value !== 'run') {
    return null;
  }
  const run = readRun(rest);
  const [image, ...command] = run.operands;
  const cwd = run.mounts.length === 0 ? null : hostDirectory(run, call.state.cwd);
  const isGit = image?.kind === 'known' && /(?:^|\/)git(?::|$)/.test(image.value);
  const entry = run.entrypoint ?? (isGit ? 'git' : null);
  const argv = entry === null || entry === '' ? command : [knownWord(entry), ...command];
  if (cwd === null || argv.length === 0) {
    return null;
  }
  shell.emitCommand(call);
  shell.run({
    ...call,
    argv,
    state: { ...call.state, cwd },
    frame: through(call.frame, `${call.source.split(/\s/)[0]} run`),
    lookup: 'programs',
  });
  return either(call.state);
};

/** Rows for the table of carriers. */
export const containerPrograms: readonly (readonly [string, ProgramReader])[] = ['docker', 'podman', 'nerdctl'].map(
  (name) => [name, runContainer],
);
