import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { configurationOf } from '../../../git/settings/configuration.ts';
import type { ConfigurationEntry } from '../../../git/settings/configuration-entry.ts';
import type { UnknownWord } from '../../git-command/words.ts';
import type { Overlay } from '../overlay.ts';
import { replaced } from '../replaced.ts';
import { following } from './presumed-branch.ts';

const heads = 'refs/heads/';

/** Could a word whose value can't be known be this one? */
function couldBe({ prefix, suffix, oneOf, fits }: UnknownWord, value: string): boolean {
  return (
    value.length >= prefix.length + suffix.length &&
    value.startsWith(prefix) &&
    value.endsWith(suffix) &&
    oneOf?.includes(value) !== false &&
    fits?.(value) !== false
  );
}

/** A branch that may be checked out, and the repository if it is. */
export interface OpenBranch {
  readonly branch: string;
  readonly ref: string;
  readonly repository: Repository;
}

/**
 * Branches of which one may be checked out, where the line has switched to what can't be known: those that are here, and
 * those of a remote that git-switch(1) "--guess" makes. None where it is known what is checked out.
 *
 * @param isMeant which of them matter, by short name
 */
export async function openBranches(
  overlay: Overlay,
  repository: Repository,
  isMeant: (branch: string) => boolean,
): Promise<readonly OpenBranch[]> {
  const { openSwitch } = overlay;
  if (openSwitch === null) {
    return [];
  }
  const refs = await repository.refs();
  const remotes = (await repository.config()).subsections('remote');
  const isPossible = (branch: string) => branch !== 'HEAD' && couldBe(openSwitch, branch) && isMeant(branch);
  const found = new Map<string, OpenBranch>();
  for (const [name, { oid }] of refs) {
    const branch = shortBranchName(name);
    if (name.startsWith(heads) && isPossible(branch)) {
      const head = { kind: 'branch', ref: name, branch, oid } as const;
      found.set(branch, { branch, ref: name, repository: replaced(repository, { head: async () => head }) });
    }
  }
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    for (const [name, { oid }] of refs) {
      const branch = name.slice(prefix.length);
      if (name.startsWith(prefix) && !refs.has(heads + branch) && !found.has(branch) && isPossible(branch)) {
        found.set(branch, guessedBranch(branch, oid, remote, repository));
      }
    }
  }
  return [...found.values()];
}

/** As it is when git has made the branch. */
function guessedBranch(branch: string, oid: string, remote: string, repository: Repository): OpenBranch {
  const ref = heads + branch;
  const head = { kind: 'branch', ref, branch, oid } as const;
  const configured = following(branch, remote);
  const isKept = ({ key }: ConfigurationEntry) => configured.every((entry) => entry.key !== key);
  return {
    branch,
    ref,
    repository: replaced(repository, {
      head: async () => head,
      config: async () => configurationOf([...(await repository.config()).entries.filter(isKept), ...configured]),
      refs: async () => new Map([...(await repository.refs()), [ref, { oid, symref: null }]]),
      ref: async (name) => (name === ref ? oid : repository.ref(name)),
    }),
  };
}
