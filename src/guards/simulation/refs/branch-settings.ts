import { dirname, resolve } from 'node:path';
import type { Head } from '../../../git/refs/head.ts';
import type { Repository } from '../../../git/repository.ts';
import { configurationOf, type GitConfiguration, parseList } from '../../../git/settings/configuration.ts';
import type { ConfigurationEntry } from '../../../git/settings/configuration-entry.ts';
import { matchesGlob } from '../../protection.ts';

const condition = /^includeif\.onbranch:(.+)\.path$/s;

/** Does what git reads depend on the branch that is checked out? */
export function dependsOnBranch({ entries }: GitConfiguration): boolean {
  return entries.some(({ key }) => condition.test(key));
}

/**
 * The configuration as git reads it once another branch is checked out: git-config(1) "Conditional includes", `onbranch`.
 * What a file brings stands right behind the words that include it.
 *
 * @param repository as it is, with the branch for which the configuration was read
 */
export async function withBranchSettings(
  { entries }: GitConfiguration,
  head: Head,
  repository: Repository,
): Promise<GitConfiguration> {
  const before = await repository.head();
  const left: ConfigurationEntry[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined) {
      break;
    }
    left.push(entry);
    const pattern = condition.exec(entry.key)?.[1];
    const [was, is] = [before, head].map((one) => pattern !== undefined && isOn(one, pattern));
    const brought = was === is ? [] : await entriesOf(entry, repository);
    if (is === true) {
      left.push(...brought);
    } else if (brought.every((one, offset) => isSame(one, entries[at + 1 + offset]))) {
      at += brought.length;
    }
  }
  return configurationOf(left);
}

/** A pattern that ends in a slash means all branches below. */
function isOn(head: Head, pattern: string): boolean {
  return head.kind === 'branch' && matchesGlob(head.branch, pattern.replace(/\/$/, '/**'));
}

/** What the file has that such words name; nothing where it can't be read. */
async function entriesOf(
  { value, scope }: ConfigurationEntry,
  { git, commonDir }: Repository,
): Promise<readonly ConfigurationEntry[]> {
  const home = git.context.env.HOME ?? '/';
  const path = resolve(scope === 'global' ? home : commonDir, (value ?? '').replace(/^~(?=\/)/, home));
  const output = await git.run(['-C', dirname(path), 'config', '--file', path, '--list', '-z'], { pinSettings: false });
  return parseList(output.stdout.toString('utf8')).map((entry) => ({ ...entry, scope }));
}

function isSame(one: ConfigurationEntry, other: ConfigurationEntry | undefined): boolean {
  return one.key === other?.key && one.value === other.value;
}
