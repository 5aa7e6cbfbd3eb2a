import { join, relative, resolve } from 'node:path';
import { readText } from '../../../git/files.ts';
import { isDevicePath } from '../../../shell/device-path.ts';
import { type GuardedFile, guardedFile, isWithin } from '../../files/guarded-file.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import type { Finding } from '../../finding.ts';
import { readCommittedPatch } from '../../git-command/committed-patches.ts';
import { known, textOf } from '../../git-command/words.ts';
import type { ChangeIndexIntent, PatchIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeTakenBack } from './checked-out-files.ts';
import { judgeGuardedFile } from './guarded-files.ts';

/**
 * `git update-index --chmod=-x .husky/commit-msg`, `git rm --cached …`: the work tree keeps its hooks, and the next commit
 * takes them from everybody.
 */
export async function judgeIndexedFiles(intent: ChangeIndexIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const change = intent.change === 'reset' && intent.from !== undefined ? 'write' : intent.change;
  if (change === 'reset' || change === 'hide' || change === 'show') {
    return [];
  }
  const given = intent.paths.flatMap((word) => textOf(word) ?? []);
  const matter = given.length === 0 ? null : await watched(scene);
  return given.flatMap((path) => {
    const file = matter?.(resolve(repository.cwd, path)) ?? null;
    return file === null ? [] : judgeGuardedFile(file, path, change, policy, { means: intent.means });
  });
}

/**
 * `git rm -r --cached . && git clean -d`: what was taken from the index goes with the files that nobody tracks.
 *
 * @param isCleaned by the path from the work tree's root
 */
export async function judgeCleanedChecks(
  isCleaned: (path: string) => boolean,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, policy, overlay } = scene;
  const cleaned = [...overlay.uncached].filter(isCleaned);
  const matter = cleaned.length === 0 ? null : await watched(scene);
  return cleaned.flatMap((path) => {
    const file = matter?.(join(repository.workTree ?? '/', path)) ?? null;
    return file === null ? [] : judgeGuardedFile(file, path, 'remove', policy, { means: 'git clean' });
  });
}

/** What a patch does to files by which the checks work: git-apply(1), git-am(1). */
export async function judgePatch(intent: PatchIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const names = intent.files.map(textOf);
  const back = intent.takesBack ? await judgeCommittedPatches(intent, names, scene) : [];
  if (back.length > 0) {
    return back;
  }
  const texts = names.map((name) => patchText(name, scene));
  const isPiped = names.every((name) => name === '-') || names.includes('/dev/stdin');
  const piped = isPiped ? inputText(scene) : '';
  const changed = new Set([piped, ...texts].flatMap((text) => changedNames(text, intent.strip)));
  const top = repository.workTree;
  const matter = changed.size === 0 || top === null ? null : await watched(scene);
  return [...changed].flatMap((name) => {
    const path = join(top ?? '/', intent.directory, name);
    const file = matter?.(path) ?? null;
    return file === null
      ? []
      : judgeGuardedFile(file, relative(top ?? '/', path), 'write', policy, { means: intent.means });
  });
}

/** `git show COMMIT | git apply -R`: what commits have changed is taken back as git-revert(1) does. */
async function judgeCommittedPatches(
  { printedBy, means }: PatchIntent,
  names: readonly (string | null)[],
  scene: Scene,
): Promise<readonly Finding[]> {
  const files = names.flatMap((name) => (name === null ? [] : [resolve(scene.repository.cwd, name)]));
  const patches = [printedBy, ...files.map((path) => scene.printed.get(path))].map(readCommittedPatch);
  const judged = patches.map((patch) =>
    patch === null
      ? []
      : judgeTakenBack(
          {
            kind: 'take-back',
            commits: patch.commits.map(known),
            paths: patch.paths,
            staysOpen: false,
            means: `${means} --reverse`,
          },
          scene,
        ),
  );
  return (await Promise.all(judged)).flat();
}

/** Tells hooks and the guard's own configuration in a work tree; null where the hooks are none of its files. */
async function watched({ repository }: Scene): Promise<((path: string) => GuardedFile | null) | null> {
  const { workTree } = repository;
  if (workTree === null) {
    return null;
  }
  const hooks = await hooksDirectoryOf(repository);
  return (path) => {
    const file = isWithin(path, workTree) ? guardedFile(path, hooks, repository.git.context.env) : null;
    return file?.kind === 'hooks' || file?.kind === 'guard-configuration' ? file : null;
  };
}

function inputText(scene: Scene): string {
  const { input } = scene.command;
  return input?.kind === 'text' ? input.text : input?.kind === 'file' ? patchText(input.path, scene) : '';
}

function patchText(name: string | null, { repository, writtenTexts }: Scene): string {
  const path = name === null ? null : resolve(repository.cwd, name);
  if (path === null || isDevicePath(path)) {
    return '';
  }
  const written = writtenTexts.get(path);
  if (written !== undefined) {
    return written ?? '';
  }
  return readText(path) ?? '';
}

/** The files that a patch names in its headers, less as many leading directories as `-p` says. */
function changedNames(patch: string, strip: number): readonly string[] {
  const headers = patch.matchAll(/^(?:(?:---|\+\+\+) (\S+)|diff --git (\S+) (\S+))/gm);
  return Array.from(headers, ([, name, before, after]) => [name, before, after])
    .flat()
    .flatMap((name) => (name === undefined || name === '/dev/null' ? [] : [name.split('/').slice(strip).join('/')]));
}
