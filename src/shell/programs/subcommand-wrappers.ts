import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { stateAfter } from '../merged-states.ts';
import { resolvePath } from '../path-resolution.ts';
import { changed, either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { npmExec, packageExec, uvOptions } from '../tasks/manager-options.ts';
import { operandAt } from '../tasks/manager-words.ts';
import { nearestFile } from '../tasks/nearest-file.ts';
import { runCommandString } from './shell-invocation.ts';
import type { Wrapper } from './wrapper.ts';
import { readWrapper } from './wrapper-reading.ts';

const plain: Wrapper = {};

/** A program, or a file of Python: `uv run release.py`; `-` for the input, `-m MODULE`, `--script FILE`. */
const runPython: Wrapper['run'] = (call, options, shell) => {
  const last = beginningOf(options.at(-1));
  const given = last === '-' || last === '-m' ? [knownWord(last)] : last === '--module' ? [knownWord('-m')] : [];
  if (given.length > 0 || last === '-s' || last === '--script') {
    return shell.run({ ...call, argv: [knownWord('python3'), ...given, ...call.argv] });
  }
  const isFile = beginningOf(call.argv[0]).endsWith('.py');
  return shell.run(isFile ? { ...call, argv: [knownWord('python3'), ...call.argv] } : call);
};

const inEnvironment: Wrapper = { short: 'ex', long: ['--environment', '--manifest-path'] };
const procfileEnvironment = { files: ['-e', '--env'], usual: '.env' };

/** Programs with a subcommand that runs another program, a row each. */
const rows: readonly (readonly [program: string, subcommands: Readonly<Record<string, Wrapper>>])[] = [
  ['npm', { exec: npmExec, x: npmExec, explore: { positional: 1 } }],
  ['pnpm', { exec: { ...plain, short: 'C', long: ['--dir', '--filter'] }, dlx: packageExec }],
  ['yarn', { exec: { run: 'joined' }, dlx: packageExec }],
  ['bun', { x: packageExec, exec: { run: 'joined' } }],
  [
    'uv',
    {
      run: {
        ...uvOptions,
        environment: { files: ['--env-file'] },
        run: runPython,
      },
      tool: { positional: 1 },
    },
  ],
  ['poetry', { run: plain }],
  ['pipenv', { run: { environment: { usual: '.env' } } }],
  ['pdm', { run: { short: 'p', run: runPython } }],
  ['rye', { run: plain }],
  ['hatch', { run: plain }],
  ['pipx', { run: { short: 'i', long: ['--spec', '--python', '--index-url', '--pip-args', '--with'] } }],
  ['conda', { run: { short: 'np', long: ['--name', '--prefix', '--cwd'], directory: ['--cwd'] } }],
  ['mamba', { run: { short: 'np', long: ['--name', '--prefix'] } }],
  ['micromamba', { run: { short: 'np', long: ['--name', '--prefix'] } }],
  ['pixi', { run: inEnvironment, r: inEnvironment, exec: { short: 'sc', long: ['--spec', '--channel'] } }],
  ['bundle', { exec: plain }],
  ['py-spy', { record: { short: 'odrpf', long: ['--output', '--duration', '--rate', '--format'] }, top: plain }],
  ['rbenv', { exec: plain }],
  ['pyenv', { exec: plain }],
  ['nodenv', { exec: plain }],
  ['rvm', { do: plain }],
  ['volta', { run: { long: ['--node', '--npm', '--yarn', '--pnpm', '--env'], environment: { variables: ['--env'] } } }],
  ['fnm', { exec: { long: ['--using'] } }],
  ['nvm', { exec: { positional: 1 } }],
  ['asdf', { exec: plain }],
  [
    'dotenvx',
    {
      run: {
        short: 'fe',
        long: ['--env-file', '--env', '--convention', '--env-keys-file'],
        environment: { files: ['-f', '--env-file'], variables: ['-e', '--env'], usual: '.env' },
      },
    },
  ],
  [
    'doppler',
    {
      run: {
        short: 'pct',
        long: ['--command', '--project', '--config', '--token'],
        script: ['--command'],
        mixed: true,
      },
    },
  ],
  ['op', { run: { long: ['--env-file', '--account'], environment: { files: ['--env-file'] } } }],
  ['infisical', { run: { long: ['--env', '--path', '--command'], script: ['--command'] } }],
  ['aws-vault', { exec: { positional: 1, short: 'd', long: ['--duration', '--region'] } }],
  ['devbox', { run: plain }],
  ['foreman', { run: { short: 'ef', long: ['--env', '--procfile'], environment: procfileEnvironment } }],
  ['honcho', { run: { short: 'ef', long: ['--env', '--procfile'], environment: procfileEnvironment } }],
  ['cargo', { watch: { short: 'xsw', script: ['-s', '--shell'], mixed: true, long: ['--shell', '--exec'] } }],
  ['turbo', { exec: plain }],
  ['nx', { exec: plain }],
  ['lerna', { exec: { long: ['--scope', '--ignore', '--concurrency'], run: 'joined' } }],
  ['meta', { exec: { long: ['--include-only', '--exclude'], run: 'joined' } }],
  ['mani', { exec: { short: 'tpdofT', long: ['--tags', '--projects', '--paths', '--output'], run: 'joined' } }],
];

function runRest(call: Call, shell: Shell, at: number, label: string, program: readonly Word[] = []): Outcome {
  const argv = [...program, ...call.argv.slice(at + 1)];
  if (argv.length > 0) {
    shell.run({ ...call, argv, frame: through(call.frame, label), lookup: 'programs' });
  }
  return either(call.state);
}

/** `nix develop -c COMMAND…`, `nix shell … --command COMMAND…`, `nix run PACKAGE -- ARGUMENTS…`: the rest is one command. */
function readNix(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.map(beginningOf);
  const verb = words[operandAt('nix', call.argv, 1, (text) => /^(?:develop|shell|run)$/.test(text))];
  const at = words.findIndex((word) => /^(?:-c|--command)$/.test(word));
  if (at > 0 && (verb === 'develop' || verb === 'shell')) {
    return runRest(call, shell, at, `nix ${verb}`);
  }
  const separator = words.indexOf('--');
  const [, program] = /#(?:.*\.)?([\w-]+)$/.exec(words.find((word) => word.includes('#')) ?? '') ?? [];
  return verb === 'run' && separator > 0 && program !== undefined
    ? runRest(call, shell, separator, 'nix run', [knownWord(program)])
    : null;
}

/** `mise exec [TOOL…] -- COMMAND…`, or `-c SCRIPT`. */
function readMise(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.map(beginningOf);
  const verb = words[operandAt('mise', call.argv, 1, (text) => /^(?:exec|x)$/.test(text))];
  if (verb !== 'exec' && verb !== 'x') {
    return null;
  }
  const script = words.findIndex((word) => /^(?:-c|--command)$/.test(word));
  const separator = words.indexOf('--');
  return script > 0
    ? runCommandString(call, shell, 'mise exec', call.argv[script + 1] ?? knownWord(''), [])
    : separator > 0
      ? runRest(call, shell, separator, 'mise exec')
      : null;
}

/** `direnv exec DIRECTORY COMMAND…`: with what the nearest `.envrc` exports, which is run first. */
function readDirenv(call: Call, shell: Shell): Outcome | null {
  const [, verb, directory, ...command] = call.argv;
  if (beginningOf(verb) !== 'exec' || directory === undefined || command.length === 0) {
    return null;
  }
  const frame = through(call.frame, 'direnv exec');
  const path = resolvePath(directory, call.state.cwd);
  const found = path === null ? null : nearestFile(['.envrc'], { kind: 'known', path }, shell);
  const there = changed(call.state, { cwd: { kind: 'known', path: found?.directory ?? '/' } });
  const after = found === null ? null : stateAfter(shell.runText(found.text, there, framed(frame, { input: null })));
  const state = after === null ? call.state : changed(call.state, { variables: after.variables });
  shell.run({ ...call, argv: command, state, frame, lookup: 'programs' });
  return either(call.state);
}

/** `yarn workspaces foreach -A exec COMMAND…`: once in every package of the repository. */
function readForeach(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.map(beginningOf);
  const at = words.indexOf('exec');
  return words[1] === 'workspaces' && words[2] === 'foreach' && at > 0 ? runRest(call, shell, at, 'yarn exec') : null;
}

/** Looks through `program subcommand`; every other use of the program is an ordinary one. */
export const subcommandWrappers: readonly (readonly [string, ProgramReader])[] = [
  ['nix', readNix],
  ['mise', readMise],
  ['direnv', readDirenv],
  ['yarn', readForeach],
  ...rows.map(([program, subcommands]): [string, ProgramReader] => [
    program,
    (call, shell) => {
      const at = operandAt(program, call.argv, 1, (text) => Object.hasOwn(subcommands, text));
      const subcommand = call.argv[at];
      const name = subcommand?.kind === 'known' ? subcommand.value : '';
      const wrapper = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
      return wrapper === undefined
        ? null
        : readWrapper(
            `${program} ${name}`,
            wrapper,
            { ...call, argv: [knownWord(`${program} ${name}`), ...call.argv.slice(at + 1)] },
            shell,
          );
    },
  ]),
];
