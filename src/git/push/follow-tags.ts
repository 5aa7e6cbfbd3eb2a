import type { RemoteState } from '../refs/remote-state.ts';
import type { Repository } from '../repository.ts';
import type { RefMatch } from './push-matching.ts';

/**
 * Annotated tags that `--follow-tags` adds to a push: those that point to a commit which the remote has or gets.
 * Which tags the remote has is not known here, so all of them are listed. Two processes.
 */
export async function followedTags(
  matches: readonly RefMatch[],
  remote: RemoteState,
  repository: Repository,
): Promise<readonly RefMatch[]> {
  const taken = new Set(matches.map(({ remoteRef }) => remoteRef));
  const tags = (await readAnnotatedTags(repository)).filter(({ name }) => !taken.has(name));
  const sent = matches.flatMap(({ localOid }) => localOid ?? []);
  const kept = [...remote.refs].flatMap(([name, oid]) => (taken.has(name) ? [] : oid));
  if (tags.length === 0 || sent.length + kept.length === 0) {
    return [];
  }
  const input = [...tags.map(({ commit }) => commit), ...[...sent, ...kept].map((oid) => `^${oid}`), ''].join('\n');
  const outside = new Set((await repository.git.text(['rev-list', '--stdin'], { input })).split('\n'));
  return tags
    .filter(({ commit }) => !outside.has(commit))
    .map(({ name, oid }) => ({ localRef: name, localOid: oid, remoteRef: name, plus: false }));
}

async function readAnnotatedTags(repository: Repository) {
  const format = '%(objecttype) %(*objecttype) %(objectname) %(*objectname) %(refname)';
  const text = await repository.git.text(['for-each-ref', `--format=${format}`, 'refs/tags']);
  return text.split('\n').flatMap((line) => {
    const [, oid, commit, name] = /^tag commit (\S+) (\S+) (.*)$/.exec(line) ?? [];
    return oid === undefined || commit === undefined || name === undefined ? [] : [{ oid, commit, name }];
  });
}
