import type { Wrapper } from '../programs/wrapper.ts';

/** Options of package managers, and of what runs projects, that name the directory in which they work. */
export const placingOptions: readonly string[] = ['-C', '--prefix', '--dir', '--cwd', '--directory'];

/** Of npm's, those that are given to what is close to npm as well. */
const usualOfNpm: readonly string[] = [
  '--registry',
  '--cache',
  '--userconfig',
  '--loglevel',
  '--prefix',
  '--script-shell',
  '--node-options',
];

/** What is known of a program's options. */
interface ManagerOptions {
  /** Those that surely take the next word. */
  readonly valued: ReadonlySet<string>;
  /** Of them, those that name the directory in which it works. */
  readonly placing: readonly string[];
  /** It takes its options up to `--`, wherever they stand: the name of a script ends nothing. */
  readonly mixed: boolean;
}

/** npm-config(7): those whose value is no mere `true`. `-L` and what else is short stands for one of them. */
const valuedOfNpm: readonly string[] = (
  'access allow-directory allow-file allow-git allow-remote allow-scripts also audit-level auth-type before ca cache ' +
  'cache-max cache-min cafile cert cidr cpu depth diff diff-dst-prefix diff-src-prefix diff-unified editor enjoy-by ' +
  'expect-result-count expires fetch-retries fetch-retry-factor fetch-retry-maxtimeout fetch-retry-mintimeout ' +
  'fetch-timeout git globalconfig heading https-proxy include init-author-email init-author-name init-author-url ' +
  'init-license init-module init-type init-version install-strategy key libc local-address location lockfile-version ' +
  'loglevel logs-dir logs-max maxsockets message min-release-age node-gyp node-options noproxy omit only os otp ' +
  'pack-destination prefix preid provenance-file proxy reg registry replace-registry-host save-prefix sbom-format ' +
  'sbom-type scope script-shell searchexclude searchlimit searchopts searchstaleness shell tag tag-version-prefix umask ' +
  'user-agent userconfig viewer which'
)
  .split(' ')
  .map((name) => `--${name}`);

const npm: ManagerOptions = {
  valued: new Set([...valuedOfNpm, '--call', '--package', '--workspace', ...['-C', '-L', '-c', '-m', '-w']]),
  placing: ['-C', '--prefix'],
  mixed: true,
};

/** Whichever of the others it is: of most options nobody knows here. `-w` takes no name: pnpm means the workspace's root. */
const others: ManagerOptions = {
  valued: new Set([...placingOptions, ...usualOfNpm, ...['-F', '--filter', '--project']]),
  placing: placingOptions,
  mixed: false,
};

/**
 * @param program its name: `npm`
 */
export function managerOptions(program: string): ManagerOptions {
  return program === 'npm' ? npm : others;
}

/** npm-exec(1), also as `npx`. */
export const npmExec: Wrapper = {
  short: 'pcw',
  long: ['--package', '--call', '--workspace', ...usualOfNpm],
  script: ['-c', '--call'],
  mixed: true,
};

/** `bunx --help`, `pnpm dlx --help`, `yarn dlx --help` */
export const packageExec: Wrapper = { short: 'p', long: ['--package', '--reporter', '--registry', '--allow-build'] };

/** `uv run --help`, `uvx --help` */
export const uvOptions = {
  short: 'pwif',
  long: (
    '--with --with-editable --with-requirements --python --project --directory --extra --no-extra --group --no-group ' +
    '--only-group --env-file --index --index-url --default-index --extra-index-url --find-links --cache-dir --config-file ' +
    '--color --constraints --overrides --package --resolution --prerelease --exclude-newer --from'
  ).split(' '),
  directory: ['--directory'],
} satisfies Wrapper;
