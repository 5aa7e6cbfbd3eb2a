import { basename, dirname, relative } from 'node:path';
import type { Policy } from '../config/policy.ts';
import type { Repository } from '../git/repository.ts';
import { type Finding, findings } from './finding.ts';
import { hookedCall } from './git-call.ts';
import type { Setting } from './git-command/invocation.ts';
import { known } from './git-command/words.ts';
import { type HookedCall, judgeEnvironment, judgeHookSettings } from './rules/checks/skip-checks.ts';
import type { ScratchCall } from './scratch-call.ts';
import type { ScratchRepository } from './simulation/scratch-repositories.ts';
import { near } from './wording.ts';

/**
 * `cp -r . ../copy && cd ../copy && git -c core.hooksPath=/dev/null push`: a copy has the hooks of what was copied, and what
 * leaves it is to be checked by them. A clone may have some as well, by its user's settings.
 */
export async function judgeSkippedChecks(call: ScratchCall): Promise<readonly Finding[]> {
  const { command, invocation, scratch, name, world } = call;
  const { origin, changedHook, unchecked = [] } = scratch;
  if (!(origin === 'copy' || origin === 'clone')) {
    return [];
  }
  const original = await originalOf(call);
  const { policy } = await world.convention(original);
  const hooked = hookedCall(call, name);
  // What the copy itself lacks, the same call in its place does not bring back.
  const fromOriginal = { ...hooked, plain: () => hooked.plain(original?.workTree ?? original?.gitDir) };
  return [
    ...unchecked,
    ...(await judgeHookSettings(configuredHooks(scratch), fromOriginal, policy, original)),
    ...(await judgeHookSettings(invocation.settings, hooked, policy, original)),
    ...judgeEnvironment(command.env, hooked, policy),
    ...(changedHook === undefined ? [] : judgeChangedHook(changedHook, fromOriginal, call, policy)),
  ];
}

/** What was copied, where it is there. */
async function originalOf({ scratch: { copyOf }, world }: ScratchCall): Promise<Repository | null> {
  if (copyOf === undefined) {
    return null;
  }
  return world.open(basename(copyOf) === '.git' ? dirname(copyOf) : copyOf).catch(() => null);
}

/** A directory of hooks that the line has configured in a copy. One that a clone gets may bring its hooks into use. */
function configuredHooks({ origin, settings }: ScratchRepository): readonly Setting[] {
  const path = origin === 'copy' ? settings.get('core.hookspath') : undefined;
  // One that is not known may be any; none leads git to where no hooks are.
  return path === undefined ? [] : [{ key: known('core.hooksPath'), value: known(path ?? ''), means: 'The setting' }];
}

function judgeChangedHook(
  hook: string,
  { subcommand, plain }: HookedCall,
  { scratch: { directory }, world }: ScratchCall,
  policy: Policy,
): readonly Finding[] {
  return findings('skip-checks', policy, {
    message: `git ${subcommand} in ${near(directory, world.start)} runs without ${relative(directory, hook)} as it was copied, so nothing checks what it is there for.`,
    evidence: { files: [near(hook, world.start)] },
    suggestion: plain(),
  });
}
