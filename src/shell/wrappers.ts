import { expandArguments } from './argument-feeders.ts';
import type { Call, Shell } from './call.ts';
import { runEnvironment } from './env-program.ts';
import type { Outcome } from './shell-state.ts';
import type { Word } from './simple-command.ts';
import { runExec, runNothing, runWatch } from './wrapper-reading.ts';

/** How a program that runs another one reads its words. */
export interface Wrapper {
  /** Short options that take a value. */
  readonly short?: string;
  /** Long options whose value is the next word. */
  readonly long?: readonly string[];
  /** Words between the options and the command. */
  readonly positional?: number;
  /** `NAME=value` words before the command change its environment. */
  readonly assignments?: boolean;
  /** Options that change the directory. */
  readonly directory?: readonly string[];
  /** Options whose value is a script for `sh`. */
  readonly script?: readonly string[];
  /** Options with which no command runs (`command -v`, `--version`). */
  readonly without?: readonly string[];
  /** How the words of the command are run: as they are, joined into a script, or by a reader of its own. */
  readonly run?: 'words' | 'joined' | ((call: Call, options: readonly Word[], shell: Shell) => Outcome);
  /** What the command's name may mean; a program alone, unless said otherwise. */
  readonly lookup?: Call['lookup'];
  /** Options that start a shell where no command follows (`sudo -s`). */
  readonly shell?: readonly string[];
  /** Options may follow the first operand (`script -q file -c command`). */
  readonly mixed?: boolean;
}

/** Programs that run another program, a row each. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'sudo',
    {
      short: 'ugpChrtTDRU',
      long: [
        '--user',
        '--group',
        '--prompt',
        '--chdir',
        '--host',
        '--role',
        '--type',
        '--close-from',
        '--chroot',
        '--other-user',
        '--command-timeout',
      ],
      shell: ['-s', '-i', '--shell', '--login'],
      assignments: true,
      directory: ['-D', '--chdir'],
    },
  ],
  ['doas', { short: 'uC' }],
  [
    'env',
    {
      short: 'uCS',
      long: ['--unset', '--chdir', '--split-string'],
      assignments: true,
      directory: ['-C', '--chdir'],
      run: runEnvironment,
    },
  ],
  ['command', { without: ['-v', '-V'], lookup: 'builtins' }],
  ['builtin', { lookup: 'builtins' }],
  ['exec', { short: 'a', run: runExec }],
  ['nohup', {}],
  ['screen', { short: 'cehpsStTX' }],
  ['nice', { short: 'n', long: ['--adjustment'] }],
  ['ionice', { short: 'cnpPu', long: ['--class', '--classdata', '--pid'], without: ['-p', '--pid'] }],
  ['chrt', { short: 'TPD', positional: 1 }],
  ['taskset', { positional: 1 }],
  ['timeout', { short: 'ks', long: ['--kill-after', '--signal'], positional: 1 }],
  ['gtimeout', { short: 'ks', long: ['--kill-after', '--signal'], positional: 1 }],
  ['time', { short: 'fo', long: ['--format', '--output'] }],
  ['stdbuf', { short: 'ioe', long: ['--input', '--output', '--error'] }],
  ['setsid', {}],
  [
    'setpriv',
    {
      long: [
        '--reuid',
        '--regid',
        '--groups',
        '--inh-caps',
        '--ambient-caps',
        '--bounding-set',
        '--securebits',
        '--pdeathsig',
        '--selinux-label',
        '--apparmor-profile',
      ],
    },
  ],
  [
    'unshare',
    {
      short: 'SGR',
      long: ['--setuid', '--setgid', '--root', '--wd', '--map-user', '--map-group', '--propagation', '--setgroups'],
      directory: ['--wd'],
    },
  ],
  ['nsenter', { short: 'tSG', long: ['--target', '--setuid', '--setgid'] }],
  ['catchsegv', {}],
  ['caffeinate', { short: 'tw' }],
  ['chronic', {}],
  ['eatmydata', {}],
  ['faketime', { short: 'f', positional: 1 }],
  ['fakeroot', { short: 'lsbif', long: ['--lib', '--faked'] }],
  ['proxychains', { short: 'f' }],
  ['proxychains4', { short: 'f' }],
  ['torsocks', { short: 'aPup' }],
  ['unbuffer', {}],
  ['rlwrap', { short: 'abcDefgHilmMoOpPqsStwz' }],
  ['chpst', { short: 'uUbemdocfpr/n' }],
  ['setarch', { positional: 1 }],
  ['prlimit', { short: 'p' }],
  [
    'systemd-run',
    {
      short: 'puEGMHt',
      long: ['--unit', '--property', '--uid', '--gid', '--setenv', '--working-directory', '--slice', '--description'],
      directory: ['--working-directory'],
    },
  ],
  ['strace', { short: 'aAbDeEFIoOpPsSuUX', long: ['--output', '--attach', '--trace', '--signal'] }],
  ['ltrace', { short: 'aAbDeFlnopsuwx' }],
  ['valgrind', {}],
  ['perf', { positional: 1, short: 'eoFcpC' }],
  ['hyperfine', { short: 'wmMrspPcDLSNni', run: 'joined' }],
  ['entr', {}],
  ['dotenv', { short: 'efvpc', long: ['--file'] }],
  ['cross-env', { assignments: true }],
  ['cross-env-shell', { assignments: true, run: 'joined' }],
  ['watch', { short: 'nq', long: ['--interval', '--equexit'], run: runWatch }],
  [
    'flock',
    {
      short: 'wEc',
      long: ['--wait', '--timeout', '--conflict-exit-code', '--command'],
      positional: 1,
      script: ['-c', '--command'],
      mixed: true,
    },
  ],
  [
    'script',
    {
      short: 'cEIBOTomt',
      long: ['--command', '--log-out', '--log-in', '--log-io', '--log-timing', '--echo', '--output-limit'],
      script: ['-c', '--command'],
      mixed: true,
      positional: 1,
    },
  ],
  [
    'su',
    {
      short: 'cgGswC',
      long: ['--command', '--group', '--supp-group', '--shell', '--session-command', '--whitelist-environment'],
      script: ['-c', '--command', '--session-command'],
      mixed: true,
      run: runNothing,
    },
  ],
  [
    'runuser',
    {
      short: 'cgGsuwC',
      long: ['--command', '--group', '--supp-group', '--shell', '--session-command', '--user'],
      script: ['-c', '--command', '--session-command'],
      mixed: true,
    },
  ],
  [
    'nix-shell',
    {
      short: 'AIpE',
      long: ['--run', '--command', '--packages'],
      script: ['--run', '--command'],
      mixed: true,
      run: runNothing,
    },
  ],
  ['npx', { short: 'pcw', long: ['--package', '--call', '--workspace'], script: ['-c', '--call'], mixed: true }],
  ['bunx', { short: 'p', long: ['--package'] }],
  ['pnpx', { short: 'p', long: ['--package'] }],
  ['uvx', { long: ['--from', '--with', '--python'] }],
  [
    'xargs',
    {
      short: 'adEILnPs',
      long: [
        '--arg-file',
        '--delimiter',
        '--max-args',
        '--max-procs',
        '--max-chars',
        '--replace-str',
        '--max-lines-value',
      ],
      run: expandArguments,
    },
  ],
]);
