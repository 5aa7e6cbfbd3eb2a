import type { Environment } from '../../git/runner.ts';
import { isForCommands } from '../../git/settings/command-settings.ts';
import { environmentSettings, parametersOf } from '../git-command/invocation.ts';
import { known } from '../git-command/words.ts';

/** What a command sets for itself; undefined: unset, or not known. */
export type Variables = readonly (readonly [name: string, value: string | undefined])[];

/** Is it one of the variables that carry settings? */
export function carriesSettings(name: string): boolean {
  return /^GIT_CONFIG_(?:COUNT|PARAMETERS|(?:KEY|VALUE)_\d+)$/.test(name);
}

/**
 * The settings that variables carry to git, as words of `-c`: git-config(1) GIT_CONFIG_COUNT. Null where there are none
 * that only commands obey, or where git itself must say what they mean.
 *
 * @param env without them
 */
export function carriedSettings(variables: Variables, env: Environment): readonly string[] | null {
  const carriers = new Map(variables.filter(([name]) => carriesSettings(name)));
  if (carriers.size === 0 || Object.keys(env).some(carriesSettings) || !isWellFormed(carriers)) {
    return null;
  }
  const settings = environmentSettings((name) => {
    const value = carriers.get(name);
    return value === undefined ? null : known(value);
  });
  const parameters = parametersOf(settings);
  return parameters.length === settings.length && parameters.every(isForCommands) ? parameters : null;
}

/** Would git read all of them, without an objection? */
function isWellFormed(carriers: ReadonlyMap<string, string | undefined>): boolean {
  const count = carriers.get('GIT_CONFIG_COUNT') ?? '0';
  const parameters = carriers.get('GIT_CONFIG_PARAMETERS') ?? '';
  const numbers = Array.from({ length: Math.min(Number(count), 100) }, (_, index) => index);
  return (
    /^\d{1,2}$/.test(count) &&
    [...carriers.values()].every((value) => value !== undefined) &&
    numbers.every((number) => ['KEY', 'VALUE'].every((part) => carriers.has(`GIT_CONFIG_${part}_${number}`))) &&
    numbers.every((number) => !carriers.get(`GIT_CONFIG_KEY_${number}`)?.includes('=')) &&
    /^(?: *'[^']+'(?:='[^']*')?(?= |$))* *$/.test(parameters)
  );
}
