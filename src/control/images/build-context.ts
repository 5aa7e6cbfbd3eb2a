import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Environment } from '../../git/runner.ts';
import { type IsIgnored, parseDockerIgnore } from './docker-ignore.ts';
import type { TarEntry } from './tar-archive.ts';

/** What is sent to an engine to build from. */
export interface BuildContext {
  readonly entries: readonly TarEntry[];
  /** Bytes of the files. */
  readonly size: number;
  /** Files that look like secrets, which were left out. */
  readonly leftOut: readonly string[];
}

/** In bytes. */
const maxSize = 512 * 1024 * 1024;
const maxFiles = 100_000;

/** Names of files and directories that hold secrets as a rule. Templates of `.env` are none. */
const secretNames =
  /^(?:\.env(?:\.(?!(?:example|sample|template|dist|defaults)$).*)?|\.envrc|\.npmrc|\.yarnrc\.yml|\.netrc|_netrc|\.pypirc|\.git-credentials|\.pgpass|\.ssh|\.aws|\.gnupg|\.kube|\.docker|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;

/**
 * The files of a work tree for a build: those that git tracks or would add, without what `.dockerignore` leaves out, and
 * never `.git` or what looks like a secret. The Dockerfile itself is always among them.
 *
 * @param workTree absolute
 * @param dockerfile relative to the work tree
 * @throws OxideError `not-a-repository`, `context-too-large`
 */
export async function buildContext(workTree: string, dockerfile: string, env: Environment): Promise<BuildContext> {
  const names = await filesOf(workTree, env);
  const isIgnored = dockerIgnore(workTree, dockerfile);
  const wanted = names.filter((name) => name === dockerfile || !isIgnored(name));
  const leftOut = wanted.filter(isSecret);
  const files = wanted.filter((name) => !isSecret(name)).flatMap((name) => fileOf(workTree, name) ?? []);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > maxSize || files.length > maxFiles) {
    throw tooLarge(files, size);
  }
  return { entries: files.map(({ entry }) => entry), size, leftOut };
}

async function filesOf(workTree: string, env: Environment): Promise<readonly string[]> {
  const repository = await openRepository({ cwd: workTree, env });
  if (repository === null) {
    throw new OxideError('not-a-repository', `'${workTree}' is not in a git repository.`);
  }
  const names = (await repository.git.text(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])).split(
    '\0',
  );
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

/** `Dockerfile.dockerignore` beside the Dockerfile goes before the general one. */
function dockerIgnore(workTree: string, dockerfile: string): IsIgnored {
  for (const name of [`${dockerfile}.dockerignore`, '.dockerignore']) {
    try {
      if (lstatSync(join(workTree, name)).isFile()) {
        return parseDockerIgnore(readFileSync(join(workTree, name), 'utf8'));
      }
    } catch {
      // There is none.
    }
  }
  return () => false;
}

function isSecret(name: string): boolean {
  return name.split('/').some((part) => secretNames.test(part) || part.toLowerCase() === '.git');
}

interface ContextFile {
  readonly entry: TarEntry;
  readonly size: number;
}

/** Null: it is deleted, a submodule, or nothing that can be sent. Links are sent as links. */
function fileOf(workTree: string, name: string): ContextFile | null {
  const path = join(workTree, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) {
    return { entry: { kind: 'link', name, target: readlinkSync(path) }, size: 0 };
  }
  if (stats?.isFile() !== true) {
    return null;
  }
  const executable = (stats.mode & 0o111) !== 0;
  return { entry: { kind: 'file', name, path, executable }, size: stats.size };
}

function tooLarge(files: readonly ContextFile[], size: number): OxideError {
  const sizes = new Map<string, number>();
  for (const { entry, size } of files) {
    const top = entry.name.split('/')[0] ?? entry.name;
    sizes.set(top, (sizes.get(top) ?? 0) + size);
  }
  const largest = [...sizes].sort(([, one], [, other]) => other - one).slice(0, 3);
  const shown = largest.map(([name, bytes]) => `'${name}' (${mebibytes(bytes)} MiB)`).join(', ');
  return new OxideError(
    'context-too-large',
    `The build context has ${files.length} files and ${mebibytes(size)} MiB; ${maxFiles} and ${mebibytes(maxSize)} are the limits. The largest: ${shown}.`,
    { remedy: 'Leave out what the build does not need, in .dockerignore.' },
  );
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
