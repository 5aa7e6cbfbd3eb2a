import { basename, join, relative } from 'node:path';
import { isWithin, workTreeAbove } from './files/guarded-file.ts';
import { type Finding, findings } from './finding.ts';
import { normalizedKey } from './git-command/invocation.ts';
import { textOf } from './git-command/words.ts';
import type { ConfigureIntent, DiscardIntent, Intent, RemoteIntent, SwitchIntent } from './intent.ts';
import { concernsFiles, judgeAround } from './judge-files-around.ts';
import { judgeAnywhere } from './judge-intent.ts';
import { judgeWithoutRepository } from './judge-without-repository.ts';
import { judgeCleanedPatches, judgeKeptCopies } from './kept-copies.ts';
import { named } from './rules/uncommitted/discard-objection.ts';
import { stepsOfRun } from './run-steps.ts';
import type { ScratchCall } from './scratch-call.ts';
import { judgeSkippedChecks } from './scratch-checks.ts';
import { judgeScratchPush } from './scratch-push.ts';
import type { ScratchRepository } from './simulation/scratch-repositories.ts';
import { count, near } from './wording.ts';
import type { World } from './world.ts';
import { filesAfter } from './written-files.ts';

/**
 * In a repository that this line makes itself, or that belongs to nobody, only what leaves it counts: pushes to other
 * repositories, programs that git starts, settings for every repository.
 */
export async function judgeScratch(intents: readonly Intent[], call: ScratchCall): Promise<readonly Finding[]> {
  return call.others === undefined ? judgeOwn(intents, call) : judgeBetween(intents, call);
}

/** What leaves the files alone that are checked out. */
const besideFiles: ReadonlySet<Intent['kind']> = new Set([
  'commit',
  'skip-hooks',
  'configure',
  'remote',
  'rename-ref',
  'delete-ref',
  'push',
  'run',
]);

/** `git --git-dir=MADE --work-tree=.`: its history is nobody's, the files are. */
async function judgeBetween(intents: readonly Intent[], call: ScratchCall): Promise<readonly Finding[]> {
  const { name, scratch, world } = call;
  const convention = await world.convention(null);
  const reason = `${near(scratch.directory, world.start)} is made by this line, and the files are not`;
  const found: Finding[] = [];
  for (const intent of intents.filter(({ kind }) => besideFiles.has(kind))) {
    found.push(...(await judgeOne(intent, call)));
  }
  const others = intents.filter(({ kind }) => !besideFiles.has(kind));
  const place = { kind: 'unknown', reason } as const;
  return [...found, ...(await judgeWithoutRepository(call, name, others, place, convention))];
}

async function judgeOwn(intents: readonly Intent[], call: ScratchCall): Promise<readonly Finding[]> {
  const { files } = call.scratch;
  const isJudged = (intent: Intent) => files === undefined || !concernsFiles(intent, files, call);
  const { directory } = call.scratch;
  const found: Finding[] = [
    ...(await judgeKeptCopies(intents, directory, call)),
    ...(await judgeCleanedPatches(intents, directory, call)),
  ];
  for (const intent of intents.filter(isJudged)) {
    found.push(...(await judgeOne(intent, call)));
  }
  return files === undefined ? found : [...found, ...(await judgeAround(files, intents, call))];
}

async function judgeOne(intent: Intent, call: ScratchCall): Promise<readonly Finding[]> {
  const { command, scratch, world } = call;
  const isConventional = world.scratch.isConventional(scratch);
  const convention = await world.convention(null);
  const anywhere = () => judgeAnywhere(intent, convention, command, world.writtenTexts);
  switch (intent.kind) {
    case 'push':
      return judgeScratchPush(intent, call);
    case 'run':
      return call.judgeSteps(
        stepsOfRun(intent, command, {
          cwd: call.others ?? (call.others === null ? world.start : scratch.directory),
          env: world.env,
          files: filesAfter(world.writtenTexts),
        }),
      );
    case 'commit':
      scratch.hasCommits = true;
      scratch.unchecked = await judgeSkippedChecks(call);
      return isConventional ? anywhere() : [];
    case 'skip-hooks':
      return isConventional ? anywhere() : [];
    case 'configure':
      if (intent.scope === 'global' || intent.scope === 'system') {
        return anywhere();
      }
      rememberSetting(intent, scratch);
      return [];
    case 'remote':
      rememberRemote(intent, scratch);
      return [];
    case 'switch':
      switchBranch(intent, scratch);
      return [];
    case 'rename-ref':
      scratch.head = intent.from === null ? branchNamed(textOf(intent.to.name)) : null;
      return [];
    case 'discard':
      return judgeArrivals(intent, call);
    case 'unreadable':
      return call.name === 'push' ? anywhere() : [];
    default:
      return [];
  }
}

function rememberSetting(intent: ConfigureIntent, scratch: ScratchCall['scratch']): void {
  const [key, value] = [textOf(intent.key), textOf(intent.value)];
  if (key !== null && intent.value !== null) {
    scratch.settings.set(normalizedKey(key), value);
  }
}

function rememberRemote({ name, value, action, mirror }: RemoteIntent, scratch: ScratchCall['scratch']): void {
  const [remote, url] = [textOf(name), textOf(value)];
  if (remote !== null && (action === 'add' || action === 'set-url')) {
    scratch.settings.set(`remote.${remote}.url`, url);
  }
  if (remote !== null && mirror) {
    scratch.settings.set(`remote.${remote}.mirror`, 'true');
  }
}

/** `mv notes.md ../new && git -C ../new clean -f`: what was uncommitted work where it lay is that here as well. */
async function judgeArrivals(
  { what, means }: DiscardIntent,
  { scratch, world }: ScratchCall,
): Promise<readonly Finding[]> {
  const arrived = world.moved.entriesIn(scratch.directory);
  if (arrived.length === 0 || what.kind === 'stash' || what.kind === 'worktree' || scratch.hasCommits === true) {
    return [];
  }
  const isWork = await Promise.all(arrived.map(({ from }) => holdsWork(from, world)));
  const lost = arrived
    .filter((_, at) => isWork[at])
    .map(({ from, to }) => relative(scratch.directory, to) || basename(from));
  const { policy } = await world.convention(null);
  return findings(
    'discard-changes',
    policy,
    lost.length === 0
      ? null
      : {
          message: `${means} would discard ${count(lost.length, 'file')} that this command line moves there, with changes that are not committed: ${named(lost)}.`,
          evidence: { files: lost },
          suggestion: 'git stash push --include-untracked',
        },
  );
}

/** Is something uncommitted in a work tree, at a path or below it? */
async function holdsWork(path: string, world: World): Promise<boolean> {
  const top = workTreeAbove(path);
  const repository = top === null ? null : await world.open(top).catch(() => null);
  const entries = (await repository?.status()) ?? [];
  return entries.some((entry) => isWithin(join(top ?? '/', entry.path), path));
}

/** A name that is no branch's name for sure is not known afterwards. */
function switchBranch({ to, detach, create }: SwitchIntent, scratch: ScratchRepository): void {
  const name = detach ? null : textOf(to);
  const isName = name !== null && (create || (name !== 'HEAD' && !/^-$|[~^@:]|^[0-9a-f]{7,}$/.test(name)));
  scratch.head = branchNamed(isName ? name : null);
}

function branchNamed(branch: string | null): ScratchRepository['head'] {
  return branch === null ? null : { branch };
}
