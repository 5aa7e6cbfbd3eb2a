import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Word } from '../../shell/simple-command.ts';
import { isWithin, workTreeAbove } from '../files/guarded-file.ts';
import type { Finding } from '../finding.ts';
import { withoutGenerated } from '../generated-files.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { Scene } from '../scene.ts';
import { untrackedAt } from '../work-at-stake.ts';
import { isUnmerged } from '../work-in-conflict.ts';
import { objection } from './discard-objection.ts';
import { unreadable } from './unreadable-command.ts';

/** Untracked files that `git clean` would remove, and that nobody can make again. */
export async function judgeClean(args: readonly Word[], scene: Scene): Promise<readonly Finding[]> {
  const isForced = args.some((word) => textOf(word) === '-f');
  if (!isForced && (await scene.repository.config()).getBoolean('clean.requireforce', true)) {
    return [];
  }
  const texts = textsOf(args);
  if (texts === null) {
    const word = args.find(({ kind }) => kind === 'unknown') as Extract<Word, { kind: 'unknown' }>;
    return unreadable(scene.policy, { source: word.source, reason: word.reason, could: 'any untracked file' });
  }
  const { workTree, cwd } = scene.repository;
  const top = workTree ?? cwd;
  const { saved, isAdded } = scene.overlay;
  const takesIgnored = texts.includes('-x') || texts.includes('-X');
  const isStashed = !isAdded && saved === 'everything' && !takesIgnored;
  const pathspecs = texts.slice(texts.indexOf('--') + 1);
  const places = pathspecs.length === 0 ? ['.'] : pathspecs;
  const isMeant = (path: string) =>
    places.some((place) => /[*?[\\]|^:/.test(place) || `${join(top, path)}/`.startsWith(`${resolve(cwd, place)}/`));
  const { unversioned, index } = scene.overlay;
  const undone = [...unversioned].filter((path) => index.get(path) !== 'work tree' && isMeant(path));
  const patches = scene.patches.needed(top).filter(isMeant);
  const listed = isStashed || isAdded ? [] : await untrackedAt(scene.repository, texts);
  const removed = [...(await withoutGenerated(listed, texts, scene.repository)), ...undone, ...patches];
  const movedIn = isStashed ? [] : await workMovedInto(places, texts.includes('-d') || pathspecs.length > 0, scene);
  const lost = isStashed ? [] : [...new Set([...removed, ...movedIn])];
  const suggestion = lost.length === 0 ? '' : await wayOut(takesIgnored, scene);
  return objection(scene, 'git clean', lost, suggestion, 'untracked file');
}

/** git can't stash while there is a conflict: the files are listed instead, to be moved away. */
async function wayOut(takesIgnored: boolean, { repository }: Scene): Promise<string> {
  if ((await repository.status()).some(isUnmerged)) {
    return `git clean --dry-run -d${takesIgnored ? ' -x' : ''}   # and move away what is needed`;
  }
  return takesIgnored ? 'git stash push --all' : 'git stash push --include-untracked';
}

/** `mv notes.md build.md && git clean -f`: what the line has brought to where it is untracked, as it is called now. */
async function workMovedInto(
  places: readonly string[],
  intoNew: boolean,
  { repository, moved }: Scene,
): Promise<readonly string[]> {
  const { cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const arrived = places
    .flatMap((place) => moved.entriesIn(resolve(cwd, place)))
    .filter(({ to }) => intoNew || existsSync(dirname(to)));
  const changed = arrived.length === 0 ? [] : (await repository.status()).map(({ path }) => join(top, path));
  return arrived.flatMap(({ from, to }) => {
    const isWork = isWithin(from, top) ? changed.some((path) => isWithin(path, from)) : workTreeAbove(from) !== null;
    return isWork ? [relative(top, to)] : [];
  });
}
