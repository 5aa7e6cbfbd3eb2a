import { npmExec, packageExec, uvOptions } from '../tasks/manager-options.ts';
import { expandArguments } from './argument-feeders.ts';
import { runEnvironment } from './env-program.ts';
import type { Wrapper } from './wrapper.ts';
import { runArchitecture, runDotenv, runExec, runNothing, runOrShell, runScreen, runWatch } from './wrapper-reading.ts';

/** bwrap(1) */
const bubblewrapOptions = {
  one: (
    '--dev --proc --tmpfs --mqueue --dir --chdir --unsetenv --uid --gid --hostname --lock-file --exec-label ' +
    '--file-label --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --sync-fd ' +
    '--cap-add --cap-drop --perms --size --args --argv0 --pidns --userns --userns2 --remount-ro --overlay-src ' +
    '--tmp-overlay --ro-overlay'
  ).split(' '),
  two: (
    '--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --bind-fd --ro-bind-fd --bind-data ' +
    '--ro-bind-data --file --symlink --setenv --chmod'
  ).split(' '),
};

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
  ['shx', {}],
  ['sshpass', { short: 'pfdP' }],
  ['screen', { short: 'cehpsStTX', run: runScreen, endsAlone: true }],
  ['nice', { short: 'n', long: ['--adjustment'] }],
  ['ionice', { short: 'cnpPu', long: ['--class', '--classdata', '--pid'], without: ['-p', '--pid'] }],
  ['chrt', { short: 'TPD', positional: 1 }],
  ['taskset', { positional: 1 }],
  ['timeout', { short: 'ks', long: ['--kill-after', '--signal'], positional: 1 }],
  ['gtimeout', { short: 'ks', long: ['--kill-after', '--signal'], positional: 1 }],
  ['time', { short: 'fo', long: ['--format', '--output'], outputs: ['-o', '--output'] }],
  ['stdbuf', { short: 'ioe', long: ['--input', '--output', '--error'] }],
  ['setsid', { endsAlone: true }],
  ['ssh-agent', { short: 'aEOPt' }],
  ['dbus-run-session', { long: ['--config-file', '--dbus-daemon'] }],
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
  [
    'bwrap',
    {
      long: bubblewrapOptions.one,
      pairs: bubblewrapOptions.two,
      environment: { pairs: ['--setenv'] },
      directory: ['--chdir'],
    },
  ],
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
  ['ld.so', { long: ['--library-path', '--inhibit-rpath', '--audit', '--preload', '--argv0', '--glibc-hwcaps-mask'] }],
  ['gosu', { positional: 1 }],
  ['su-exec', { positional: 1 }],
  ['setuidgid', { positional: 1 }],
  ['s6-setuidgid', { positional: 1 }],
  ['envdir', { positional: 1 }],
  ['with-contenv', {}],
  ['softlimit', { short: 'adfmnoprstclm' }],
  ['tini', { short: 'pe' }],
  ['dumb-init', { short: 'r', long: ['--rewrite'] }],
  ['xvfb-run', { short: 'enfpsw', long: ['--error-file', '--server-num', '--auth-file', '--server-args', '--wait'] }],
  ['pkexec', { long: ['--user'] }],
  ['cgexec', { short: 'g' }],
  ['choom', { short: 'n', long: ['--adjust'] }],
  ['numactl', { short: 'NmpCilaP', long: ['--cpunodebind', '--membind', '--physcpubind', '--interleave'] }],
  ['cpulimit', { short: 'lpeP', long: ['--limit'] }],
  ['systemd-inhibit', { long: ['--what', '--who', '--why', '--mode'] }],
  ['systemd-cat', { short: 'tp', long: ['--identifier', '--priority'] }],
  ['aa-exec', { short: 'pn', long: ['--profile', '--namespace'] }],
  ['runcon', { short: 'turl' }],
  ['gtime', { short: 'fo', long: ['--format', '--output'], outputs: ['-o', '--output'] }],
  ['rlwrap', { short: 'abcDefgHilmMoOpPqsStwz' }],
  ['chpst', { short: 'uUbemdocfpr/n' }],
  ...['setarch', 'linux32', 'linux64', 'i386', 'i686', 'x86_64', 'uname26'].map((name): [string, Wrapper] => [
    name,
    { run: runArchitecture },
  ]),
  ['prlimit', { short: 'p' }],
  [
    'systemd-run',
    {
      short: 'puEGMHt',
      long: ['--unit', '--property', '--uid', '--gid', '--setenv', '--working-directory', '--slice', '--description'],
      directory: ['--working-directory'],
      environment: { variables: ['-E', '--setenv'], properties: ['-p', '--property'] },
      endsAlone: true,
    },
  ],
  [
    'strace',
    {
      short: 'aAbDeEFIoOpPsSuUX',
      long: ['--output', '--attach', '--trace', '--signal', '--env'],
      outputs: ['-o', '--output'],
      environment: { variables: ['-E', '--env'] },
    },
  ],
  ['firejail', { environment: { variables: ['--env'] } }],
  ['s6-env', { assignments: true }],
  ['ltrace', { short: 'aAbDeFlnopsuwx', long: ['--output'], outputs: ['-o', '--output'] }],
  ['valgrind', { outputs: ['--log-file', '--xml-file'] }],
  ['perf', { positional: 1, short: 'eoFcpC', long: ['--output', '--event'], outputs: ['-o', '--output'] }],
  ['entr', { short: 's', script: ['-s'], endsAlone: true }],
  [
    'dotenv',
    {
      short: 'efvpc',
      long: ['--file'],
      environment: { files: ['-e', '-f', '--file'], variables: ['-v'], usual: '.env' },
      run: runDotenv,
    },
  ],
  // Its own subcommands (`enable`, `use`) are no programs.
  ['corepack', {}],
  [
    'env-cmd',
    {
      short: 'fer',
      long: ['--file', '--environments', '--rc-file'],
      environment: { files: ['-f', '--file'], usual: '.env' },
    },
  ],
  [
    'watchexec',
    {
      short: 'ewWidsfEo',
      long: [
        ...['--exts', '--watch', '--watch-non-recursive', '--ignore', '--debounce', '--signal', '--filter', '--env'],
        ...['--delay-run', '--on-busy-update', '--stop-signal', '--shell', '--project-origin', '--workdir'],
      ],
      directory: ['--workdir'],
      environment: { variables: ['-E', '--env'] },
      run: 'joined',
      endsAlone: true,
    },
  ],
  ['cross-env', { assignments: true }],
  ['cross-env-shell', { assignments: true, run: 'joined' }],
  ['watch', { short: 'nq', long: ['--interval', '--equexit'], run: runWatch, endsAlone: true }],
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
      outputs: ['-O', '-B', '-I', '-T', '--log-out', '--log-in', '--log-io', '--log-timing'],
      writesOperand: true,
      run: runOrShell,
      endsAlone: true,
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
  ['npx', npmExec],
  ['bunx', packageExec],
  ['pnpx', packageExec],
  ['uvx', uvOptions],
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
      endsAlone: true,
    },
  ],
]);
