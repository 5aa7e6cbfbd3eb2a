import { existsSync } from 'node:fs';
import type { Policy } from '../config/policy.ts';
import { describeIntent } from './describe-intent.ts';
import { type Finding, findings } from './finding.ts';
import { type GitCall, hookedCall } from './git-call.ts';
import { shown } from './git-command/words.ts';
import { anywhere, withIncluded } from './included-settings.ts';
import type { Intent, PushIntent } from './intent.ts';
import { judgeAnywhere } from './judge-intent.ts';
import type { Place } from './place.ts';
import { judgeNamedPush } from './push/named-push.ts';
import { judgeEnvironment, judgeHookSettings } from './rules/checks/skip-checks.ts';
import type { Convention } from './scene.ts';
import { changesIncluded } from './written-includes.ts';

/**
 * Nothing can be looked up. Where no repository is, git stops; where it can't be known, what the words say counts.
 *
 * @param blindly judges that
 */
export async function judgeWithoutRepository(
  call: GitCall,
  name: string,
  given: readonly Intent[],
  place: Exclude<Place, { kind: 'repository' | 'scratch' }>,
  convention: Convention,
  blindly: typeof judgeBlindly = judgeBlindly,
): Promise<readonly Finding[]> {
  const { policy } = convention;
  const judged: Finding[] = [];
  const isElsewhere = place.kind === 'unknown' && place.isElsewhere === true;
  const { invocation, world } = call;
  const reads = !isElsewhere && given.some(changesIncluded);
  const intents = reads ? await withIncluded(given, invocation, anywhere(world), world) : given;
  for (const intent of isElsewhere ? intents.filter(concernsOthers) : intents) {
    const isLasting = intent.kind === 'configure' && ['global', 'system'].includes(intent.scope);
    if (place.kind === 'unknown' || isLasting) {
      judged.push(...(await judgeAnywhere(intent, convention, call.command, call.world.writtenTexts)));
    }
    if (place.kind === 'unknown') {
      judged.push(...blindly(intent, place, policy));
    }
  }
  return place.kind === 'none'
    ? judged
    : [
        ...(await judgeHookSettings(call.invocation.settings, hookedCall(call, name), policy, null)),
        ...judgeEnvironment(call.command.env, hookedCall(call, name), policy),
        ...judged,
      ];
}

function judgeBlindly(
  intent: Intent,
  { reason, isElsewhere = false }: Extract<Place, { kind: 'unknown' }>,
  policy: Policy,
): readonly Finding[] {
  if (intent.kind === 'push') {
    const named = judgeNamedPush(intent.request, policy);
    const isHarmless = intent.request.dryRun || (isElsewhere && namesOrdinary(intent));
    return isHarmless || named.length > 0 ? named : ask(intent, reason, policy);
  }
  return isRisky(intent) ? ask(intent, reason, policy) : [];
}

/** Branches are named, and nothing is forced or deleted. */
function namesOrdinary({ request, unknown }: PushIntent): boolean {
  const { refspecs, force, delete: deletes } = request;
  return (
    refspecs.length > 0 &&
    unknown.length === 0 &&
    !force &&
    !deletes &&
    !refspecs.some((text) => /^[+:]|HEAD$|\*/.test(text))
  );
}

/** On another machine only what others fetch counts: pushes, and refs that are named. Its work trees are its own. */
function concernsOthers(intent: Intent): boolean {
  switch (intent.kind) {
    case 'push':
    case 'rename-ref':
    case 'destroy-recovery':
    case 'skip-hooks':
    case 'publish':
      return true;
    case 'delete-ref':
      return intent.sparesUnmerged !== true;
    case 'move-ref':
      return intent.ref !== null;
    default:
      return false;
  }
}

/** May it take something away from somebody, wherever it runs? */
export function isRisky(intent: Intent): boolean {
  switch (intent.kind) {
    case 'discard':
      if (intent.what.kind === 'worktree') {
        const path = shown(intent.what.path);
        return !path.startsWith('/') || intent.what.path.kind === 'unknown' || existsSync(path);
      }
      // A word alone is nearly always a branch; `.` and `..` never are.
      return (
        intent.what.kind !== 'branch-or-path' || intent.what.words.some((word) => /^\.{1,2}(?:\/|$)/.test(shown(word)))
      );
    case 'move-ref':
      return intent.keepsWork !== true && intent.isNew !== true;
    case 'fetch':
      return intent.refspecs.some((word) => overwrites(shown(word), intent.force));
    case 'remote':
      return intent.action !== 'add';
    default:
      return intent.kind === 'delete-ref' && intent.sparesUnmerged !== true;
  }
}

/** `+main:main`: a local branch may come to lead elsewhere. */
function overwrites(refspec: string, force: boolean): boolean {
  return (force || refspec.startsWith('+')) && /:(?!refs\/remotes\/)./.test(refspec);
}

function ask(intent: Intent, reason: string, policy: Policy): readonly Finding[] {
  return findings('unreadable-command', policy, {
    message: `Where this command runs can't be known (${reason}), and it ${describeIntent(intent)}.`,
    suggestion: 'Write the directory out, or run the command alone in that directory.',
  });
}
