import type { Policy } from '../../../config/policy.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { normalizedKey } from '../../git-command/invocation.ts';
import { textOf } from '../../git-command/words.ts';
import type { ConfigureIntent } from '../../intent.ts';

/** By these a repository refuses what is pushed to it: git-config(1) "receive". */
const refusals = new Set([
  'receive.denynonfastforwards',
  'receive.denydeletes',
  'receive.fsckobjects',
  'transfer.fsckobjects',
]);

/** A repository that others push to would take what it refuses now. */
export async function judgeReceivingSetting(
  { key, value, scope }: ConfigureIntent,
  repository: Repository,
  policy: Policy,
): Promise<readonly Finding[]> {
  const name = normalizedKey(textOf(key) ?? '');
  const isSection = name === 'receive.*';
  if ((!refusals.has(name) && !isSection) || scope === 'global' || scope === 'system') {
    return [];
  }
  const config = await repository.config();
  const text = textOf(value);
  const staysOn = text !== null && /^(?:true|yes|on|1)$/i.test(text);
  const isOn = [...refusals].some((refusal) => (isSection || refusal === name) && config.getBoolean(refusal, false));
  return findings(
    'skip-checks',
    policy,
    staysOn || !isOn
      ? null
      : {
          message: `Changing ${isSection ? 'receive' : name} lets ${repository.gitDir} take pushes that it refuses now.`,
          suggestion: `git -C ${quoteWord(repository.gitDir)} config --get-regexp '^receive'`,
        },
  );
}
