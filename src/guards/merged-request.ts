import type { Repository } from '../git/repository.ts';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import type { Finding } from './finding.ts';
import type { JudgeSteps } from './git-call.ts';
import { readInvocation } from './git-command/invocation.ts';
import { optionTable } from './git-command/option-table.ts';
import { parseOptions } from './git-command/parse-options.ts';
import { known, textOf } from './git-command/words.ts';
import { judgeInRepository } from './judge-in-repository.ts';
import { isProtected } from './protection.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { World } from './world.ts';

const mergeOptions = optionTable(`admin A|author-email= auto b|body= F|body-file= d|delete-branch disable-auto
  match-head-commit= m|merge r|rebase s|squash t|subject= R|repo= h|help`);

/** A call that merges a request and deletes its branch. */
export interface MergedRequest {
  /** As it was given; null: the branch that is checked out has the request. */
  readonly request: string | null;
}

/**
 * `gh pr merge --delete-branch`: the branch goes on the server and here, as by `git branch -D` (gh-pr-merge(1)). Not where
 * the repository is named.
 *
 * @param words what follows the program's name
 */
export function readMergedRequest(program: string, words: readonly Word[]): MergedRequest | null {
  if (program !== 'gh' || !words.some((word) => textOf(word) === 'merge')) {
    return null;
  }
  const args = parseOptions(mergeOptions, words);
  if ('refused' in args || args.operands.slice(0, 2).map(textOf).join(' ') !== 'pr merge') {
    return null;
  }
  const isLeft = !args.has('delete-branch') || ['repo', 'help', 'disable-auto'].some((name) => args.has(name));
  const [, , request] = args.operands;
  return isLeft ? null : { request: request === undefined ? null : (textOf(request) ?? '') };
}

/** Commits of the branch that were never pushed are merged by nobody, and go with it. */
export async function judgeMergedRequest(
  { request }: MergedRequest,
  command: SimpleCommand,
  world: World,
  judgeSteps: JudgeSteps,
): Promise<readonly Finding[]> {
  const invocation = readInvocation([], command.cwd, (name) => world.variable(command, name));
  const place = await world.places.of(invocation, command).catch(() => null);
  if (place?.kind !== 'repository') {
    return [];
  }
  const repository = overlaid(place.repository, place.likely);
  const branch = await branchOf(request, repository);
  const { policy } = await world.convention(place.repository);
  const isOwn = branch !== null && !isProtected(branch, policy, await repository.remoteDefaultBranch('origin'));
  if (!isOwn || !(await isPublished(branch, repository))) {
    return [];
  }
  const name = { namespace: 'refs/heads/', name: known(branch) } as const;
  const deletion = { kind: 'delete-ref', refs: [name], means: 'gh pr merge --delete-branch' } as const;
  const call = { command, invocation, world, judgeSteps };
  const { findings } = await world.trees.apart(() => judgeInRepository(call, 'branch', [deletion], place));
  return findings;
}

/** The branch here that goes. A number or an address does not tell it: mostly it is checked out. */
async function branchOf(request: string | null, repository: Repository): Promise<string | null> {
  const isNamed = request !== null && request !== '' && !/^#?\d+$|:\/\//.test(request);
  const head = isNamed ? null : await repository.head();
  return isNamed ? request.replace(/^[^/:]*:/, '') : head?.kind === 'branch' ? head.branch : null;
}

/** Without a branch on a remote it has no request: it is another one's that is merged. */
async function isPublished(branch: string, repository: Repository): Promise<boolean> {
  const config = await repository.config();
  const merged = config.get(`branch.${branch}.merge`);
  const remotes = config.subsections('remote');
  const tracked = await Promise.all(remotes.map((remote) => repository.ref(`refs/remotes/${remote}/${branch}`)));
  return tracked.some((oid) => oid !== null) || merged?.startsWith('refs/pull/') === true;
}
