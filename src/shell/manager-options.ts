import type { Wrapper } from './wrapper.ts';

/** Options of package managers, and of what runs projects, that name the directory in which they work. */
export const placingOptions: readonly string[] = ['-C', '--prefix', '--dir', '--cwd', '--directory'];

/** npm-config(1): of the options that take a word of their own, those that are given on a command line. */
const valuedOfNpm: readonly string[] = [
  '--registry',
  '--cache',
  '--userconfig',
  '--loglevel',
  '--prefix',
  '--script-shell',
  '--node-options',
];

/** Those that take the next word, whichever of the programs it is: of most nobody knows here. */
const valuedAnywhere: ReadonlySet<string> = new Set([
  ...placingOptions,
  ...valuedOfNpm,
  ...['-F', '--filter', '--project'],
]);

/** `-w NAME` is npm's alone: pnpm means the workspace's root by it, and takes no name. */
const valuedByNpm: ReadonlySet<string> = new Set([...valuedAnywhere, '-w', '--workspace']);

/**
 * Options before a command that surely take the next word.
 *
 * @param program its name: `npm`
 */
export function valuedOptions(program: string): ReadonlySet<string> {
  return program === 'npm' ? valuedByNpm : valuedAnywhere;
}

/** npm-exec(1), also as `npx`. */
export const npmExec: Wrapper = {
  short: 'pcw',
  long: ['--package', '--call', '--workspace', ...valuedOfNpm],
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
