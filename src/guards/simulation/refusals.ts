import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { knownRemote, readRemote } from '../../git/remote.ts';
import type { Repository } from '../../git/repository.ts';
import { stoppedOperations } from '../../git/stopped-operations.ts';
import { textOf } from '../git-command/words.ts';
import type { Intent, PushIntent } from '../intent.ts';

/**
 * Does git surely refuse all of it, whatever the files are like? Then nothing of it happens. Asked only where something
 * was found, for it takes a process, and only for what comes first on its line.
 */
export async function isRefused(intents: readonly Intent[], repository: Repository): Promise<boolean> {
  // `git checkout A B`: where A names no commit, it is a path.
  const mayBePaths = intents.some((intent) => intent.kind === 'discard' && intent.what.kind === 'branch-or-path');
  for (const intent of intents) {
    if (!(mayBePaths && intent.kind === 'change-files') && (await refuses(intent, repository))) {
      return true;
    }
  }
  return false;
}

async function refuses(intent: Intent, repository: Repository): Promise<boolean> {
  switch (intent.kind) {
    case 'switch':
      // git-switch(1); git-checkout(1) goes on.
      return intent.waits === true && stoppedOperations(repository.gitDir).length > 0;
    case 'move-ref':
      return intent.ref === null && intent.keepsWork !== true && (await namesNothing(textOf(intent.to), repository));
    case 'change-files':
      return typeof intent.to === 'object' && (await namesNothing(textOf(intent.to.commit), repository));
    case 'push':
      return goesNowhere(intent, repository);
    default:
      return false;
  }
}

/** A plain name, or a way from one: what it searches for (`:/text`) may be written in many ways. */
const plainRevision = /^[\w@][\w./@~^-]*$/;

async function namesNothing(revision: string | null, repository: Repository): Promise<boolean> {
  return (
    revision !== null &&
    plainRevision.test(revision) &&
    ((await repository.resolveAll([revision])).get(revision) ?? null) === null
  );
}

/** A remote that is not configured, and no URL or path either: git-push(1) "REMOTES". */
async function goesNowhere({ request, unknown }: PushIntent, repository: Repository): Promise<boolean> {
  const name = request.repository;
  if (name === null || unknown.length > 0 || !/^[\w-]+$/.test(name)) {
    return false;
  }
  const config = await repository.config();
  const remote = readRemote(config, name);
  const top = repository.workTree ?? repository.gitDir;
  const isRewritten = remote.pushUrls.some((url) => url !== name);
  const places = [
    resolve(repository.cwd, name),
    resolve(top, name),
    resolve(top, `${name}.git`),
    ...['remotes', 'branches'].map((kind) => join(repository.commonDir, kind, name)),
  ];
  return remote.name === null && !isRewritten && knownRemote(config, remote, top) === null && !places.some(existsSync);
}
