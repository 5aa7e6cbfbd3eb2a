import type { ProgramReader } from './call.ts';
import { knownWord } from './simple-command.ts';
import type { Wrapper } from './wrapper.ts';
import { readWrapper } from './wrapper-reading.ts';

const npmExec: Wrapper = {
  short: 'pcw',
  long: ['--package', '--call', '--workspace', '--prefix'],
  script: ['-c', '--call'],
  mixed: true,
};
const plain: Wrapper = {};
const withPackage: Wrapper = { short: 'p', long: ['--package'] };

/** Programs with a subcommand that runs another program, a row each. */
const rows: readonly (readonly [program: string, subcommands: Readonly<Record<string, Wrapper>>])[] = [
  ['npm', { exec: npmExec, x: npmExec }],
  ['pnpm', { exec: { ...plain, short: 'C', long: ['--dir', '--filter'] }, dlx: withPackage }],
  ['yarn', { exec: plain, dlx: withPackage }],
  ['bun', { x: withPackage, exec: { run: 'joined' } }],
  [
    'uv',
    {
      run: {
        long: ['--with', '--python', '--project', '--directory', '--extra', '--group', '--env-file'],
        short: 'p',
        directory: ['--directory'],
      },
      tool: { positional: 1 },
    },
  ],
  ['poetry', { run: plain }],
  ['pipenv', { run: plain }],
  ['pdm', { run: { short: 'p' } }],
  ['rye', { run: plain }],
  ['hatch', { run: plain }],
  ['pipx', { run: { long: ['--spec', '--python'] } }],
  ['conda', { run: { short: 'np', long: ['--name', '--prefix', '--cwd'], directory: ['--cwd'] } }],
  ['mamba', { run: { short: 'np', long: ['--name', '--prefix'] } }],
  ['micromamba', { run: { short: 'np', long: ['--name', '--prefix'] } }],
  ['bundle', { exec: plain }],
  ['rbenv', { exec: plain }],
  ['pyenv', { exec: plain }],
  ['nodenv', { exec: plain }],
  ['rvm', { do: plain }],
  ['volta', { run: { long: ['--node', '--npm', '--yarn', '--pnpm', '--env'] } }],
  ['fnm', { exec: { long: ['--using'] } }],
  ['nvm', { exec: { positional: 1 } }],
  ['asdf', { exec: plain }],
  [
    'mise',
    { exec: { short: 'C', directory: ['-C'], script: ['-c', '--command'], long: ['--command', '--cd'] }, x: plain },
  ],
  ['direnv', { exec: { positional: 1 } }],
  ['dotenvx', { run: { short: 'f', long: ['--env-file'] } }],
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
  ['op', { run: { long: ['--env-file', '--account'] } }],
  ['infisical', { run: { long: ['--env', '--path', '--command'], script: ['--command'] } }],
  ['aws-vault', { exec: { positional: 1, short: 'd', long: ['--duration', '--region'] } }],
  [
    'nix',
    {
      develop: { short: 'f', long: ['--command'], script: ['-c', '--command'], mixed: true, run: 'words' },
      shell: { mixed: true },
    },
  ],
  ['devbox', { run: plain }],
  ['cargo', { watch: { short: 'xsw', script: ['-s', '--shell'], mixed: true, long: ['--shell', '--exec'] } }],
  ['turbo', { exec: plain }],
  ['nx', { exec: plain }],
  ['lerna', { exec: { long: ['--scope', '--ignore', '--concurrency'] } }],
];

/** Looks through `program subcommand`; every other use of the program is an ordinary one. */
export const subcommandWrappers: readonly (readonly [string, ProgramReader])[] = rows.map(([program, subcommands]) => [
  program,
  (call, shell) => {
    const subcommand = call.argv[1];
    const name = subcommand?.kind === 'known' ? subcommand.value : '';
    const wrapper = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    return wrapper === undefined
      ? null
      : readWrapper(
          `${program} ${name}`,
          wrapper,
          { ...call, argv: [knownWord(`${program} ${name}`), ...call.argv.slice(2)] },
          shell,
        );
  },
]);
