import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { readText } from '../files.ts';
import { gitFailure } from '../git-failure.ts';
import type { Repository } from '../repository.ts';
import type { GitConfiguration } from '../settings/configuration.ts';
import type { ConfigurationEntry } from '../settings/configuration-entry.ts';

/**
 * The names of the filters that the repository itself configures. gitattributes(5) "filter": to compare a file whose
 * times have changed, to add it and to write it, git starts the program that the configuration names. One of the
 * repository's own may have been put there by whoever made it, so looking at a repository must not start it; the
 * person's own filters (Git LFS) run.
 */
export async function ownFilterNames(
  repository: Pick<Repository, 'commonDir' | 'gitDir' | 'config'>,
): Promise<readonly string[]> {
  // Most repositories configure no filter, and then need not be asked which.
  const { commonDir, gitDir } = repository;
  const texts = [join(commonDir, 'config'), join(gitDir, 'config.worktree')].map((path) => readText(path) ?? '');
  const mayFilter = texts.some((text) => /filter|include/i.test(text));
  return mayFilter ? ownNamesIn(await repository.config()) : [];
}

function ownNamesIn({ entries }: GitConfiguration): readonly string[] {
  const isOwn = ({ scope }: ConfigurationEntry) => scope === 'local' || scope === 'worktree' || scope === 'unknown';
  return namesIn(entries.filter(isOwn), /^filter\.(.*)\.(?:clean|process|smudge)$/s);
}

function namesIn(entries: readonly ConfigurationEntry[], settings: RegExp): readonly string[] {
  return [...new Set(entries.flatMap(({ key }) => settings.exec(key)?.[1] ?? []))];
}

/**
 * Words for `-c` that keep filters from running, in both directions.
 *
 * @throws OxideError `unsafe-filter` for a name that no option can carry
 */
export function filtersOff(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    if (/[=\n]/.test(name)) {
      throw new OxideError(
        'unsafe-filter',
        `The repository configures a filter named ${JSON.stringify(name)}, which can't be kept from running.`,
        { remedy: "git config --local --get-regexp '^filter'   # what does it run?" },
      );
    }
    return [
      `filter.${name}.clean=`,
      `filter.${name}.smudge=`,
      `filter.${name}.process=`,
      `filter.${name}.required=false`,
    ];
  });
}

/**
 * The tracked files that one of these filters is for, by gitattributes(5) as they are now.
 *
 * @param run git in the work tree; its output in Latin-1, byte for byte
 */
export async function filteredFiles(
  run: (args: readonly string[], input?: Uint8Array) => Promise<string>,
  names: readonly string[],
): Promise<readonly string[]> {
  const tracked = Buffer.from(await run(['ls-files', '-z']), 'latin1');
  const fields = (await run(['check-attr', '-z', '--stdin', 'filter'], tracked)).split('\0');
  const paths = new Set<string>();
  for (let n = 0; n + 2 < fields.length; n += 3) {
    const [path = '', , filter = ''] = fields.slice(n, n + 3);
    if (names.includes(Buffer.from(filter, 'latin1').toString('utf8'))) {
      paths.add(path);
    }
  }
  return [...paths];
}

/** What decides whether git takes a file for changed; without a program, a filter that is required is an error. */
const comparing = /^filter\.(.*)\.(?:clean|process|required)$/s;

/**
 * Does git start filters, the person's own among them, to tell whether files are changed? A filter is configured for all
 * repositories (Git LFS), and for nothing in those whose attributes do not name it. Costs no process where none is
 * configured.
 */
export async function comparesByFilters(repository: Pick<Repository, 'workTree' | 'git' | 'config'>): Promise<boolean> {
  const { workTree, git } = repository;
  const names = namesIn((await repository.config()).entries, comparing);
  if (workTree === null || names.length === 0) {
    return false;
  }
  const run = async (args: readonly string[], input?: Uint8Array) => {
    const output = await git.run(['-C', workTree, ...args], input === undefined ? {} : { input });
    if (output.exitCode !== 0) {
      throw gitFailure(args, output);
    }
    return output.stdout.toString('latin1');
  };
  return (await filteredFiles(run, names)).length > 0;
}
