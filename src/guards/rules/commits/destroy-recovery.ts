import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../../config/policy.ts';
import type { Repository } from '../../../git/repository.ts';
import { type Finding, findings } from '../../finding.ts';
import { daysBefore, expirySetting, isEarly } from '../../git-command/expiry-dates.ts';
import { normalizedKey, type Setting } from '../../git-command/invocation.ts';
import { pasted, shown, textOf } from '../../git-command/words.ts';
import type { ConfigureIntent, DestroyRecoveryIntent } from '../../intent.ts';
import { mirrorHere } from '../../mirror-of.ts';

/** Commands that take away what lost work could be found again by. */
export function judgeDestroyedRecovery(
  intent: DestroyRecoveryIntent,
  policy: Policy,
  repository: Repository | null,
): readonly Finding[] {
  if (intent.packedOnly === true && (repository === null || !hasCruft(repository))) {
    return [];
  }
  return findings('destroy-recovery', policy, {
    message: `${intent.means} removes ${intent.destroyed}.`,
    ...(intent.suggestion === undefined
      ? { suggestion: mirrorHere, isForTop: true }
      : { suggestion: intent.suggestion }),
  });
}

/** gitformat-pack(5) "CRUFT PACKS": where `git gc` keeps what nothing reaches, since git 2.41. */
function hasCruft({ commonDir }: Repository): boolean {
  try {
    return readdirSync(join(commonDir, 'objects', 'pack')).some((name) => name.endsWith('.mtimes'));
  } catch {
    return false;
  }
}

/** Subcommands that collect garbage, some of them only when it is time. */
const collecting = new Set([
  'gc',
  'maintenance',
  'reflog',
  'fetch',
  'pull',
  'merge',
  'rebase',
  'am',
  'commit',
  'receive-pack',
]);

/** The same for this call alone. */
export function judgePassingExpiry(
  settings: readonly Setting[],
  subcommand: string,
  policy: Policy,
): readonly Finding[] {
  return collecting.has(subcommand) ? settings.flatMap((setting) => judgeExpirySetting(setting, policy)) : [];
}

/** Settings that let the next `git gc` remove what it would keep for weeks or months. */
export function judgeExpirySetting(
  { key, value }: Pick<ConfigureIntent, 'key' | 'value'>,
  policy: Policy,
): readonly Finding[] {
  const name = normalizedKey(textOf(key) ?? '');
  const date = textOf(value);
  const setting = expirySetting(name);
  const forgets =
    setting !== null
      ? value !== null && date !== null && daysBefore(date) !== null && isEarly(date, setting)
      : name === 'core.logallrefupdates' && /^(?:false|0|no|off)$/i.test(date ?? '');
  return findings(
    'destroy-recovery',
    policy,
    forgets
      ? {
          message: `${shown(key)}=${date ?? ''} makes git forget sooner what lost commits are found again by.`,
          suggestion: `git config --get ${pasted(key)}`,
        }
      : null,
  );
}
