import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { homeDirectory, tryReadText } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { limitsSchema, type SetLimits } from '../limits.ts';

/** Where whoever runs the server says what sessions may use up: `$XDG_CONFIG_HOME/oxide-guard/limits.json`. */
export function limitsFile(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homeDirectory(), '.config'), 'oxide-guard', 'limits.json');
}

/**
 * What the file says; nothing where there is none.
 *
 * @throws OxideError `limits-invalid` naming the file and what is wrong in it: no limit would be the wrong guess
 */
export function readLimits(env: Environment): SetLimits {
  const file = limitsFile(env);
  const text = tryReadText(file);
  if (text === null) {
    return {};
  }
  const invalid = (what: string) =>
    new OxideError('limits-invalid', `The limits in '${file}' are not valid: ${what}.`, {
      remedy: `{"max_sessions": 10, "max_turns": 100, "max_tokens": null, "max_cost_usd": 5, "max_seconds": 3600}`,
    });
  if (text === 'error') {
    throw invalid('the file can’t be read');
  }
  const parsed = limitsSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
    throw invalid(problems.join('; '));
  }
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
