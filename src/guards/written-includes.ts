import { resolve } from 'node:path';
import type { Repository } from '../git/repository.ts';
import { parseList } from '../git/settings/configuration.ts';
import type { Word } from '../shell/simple-command.ts';
import type { Setting } from './git-command/invocation.ts';
import { known, textOf } from './git-command/words.ts';
import type { Intent } from './intent.ts';

/** `include.path` and `includeIf.CONDITION.path`: git-config(1) "Includes". */
export function isInclude(key: Word): boolean {
  return /^include(?:if\..+)?\.path$/is.test(textOf(key) ?? '');
}

/** Of settings in a file that git may include, or of what it includes? */
export function changesIncluded(intent: Intent): boolean {
  return (
    (intent.kind === 'write-files' && intent.sets !== undefined) ||
    (intent.kind === 'configure' && isInclude(intent.key))
  );
}

/** What a call includes from files that its own command line writes before. */
export interface WrittenIncludes {
  readonly settings: readonly Setting[];
  /** Files of which nobody knows what they will hold. */
  readonly unknown: readonly string[];
}

const none: WrittenIncludes = { settings: [], unknown: [] };

/** @param texts of files that the line writes, by absolute path; null where the text can't be known */
export function readWrittenIncludes(
  settings: readonly Setting[],
  texts: ReadonlyMap<string, string | null>,
  repository: Repository,
): Promise<WrittenIncludes> | WrittenIncludes {
  return settings.length === 0 || texts.size === 0 ? none : read(settings, texts, repository);
}

async function read(
  settings: readonly Setting[],
  texts: ReadonlyMap<string, string | null>,
  { git, cwd }: Repository,
): Promise<WrittenIncludes> {
  const included: Setting[] = [];
  const unknown: string[] = [];
  for (const { key, value, means } of settings) {
    const path = isInclude(key) ? textOf(value) : null;
    const text = path === null ? undefined : texts.get(resolve(cwd, path));
    if (path !== null && text === null) {
      unknown.push(path);
    } else if (typeof text === 'string') {
      const output = await git.run(['config', '--no-includes', '--file', '-', '--list', '-z'], {
        input: text,
        pinSettings: false,
      });
      const entries = parseList(output.stdout.toString('utf8'));
      included.push(
        ...entries.map((entry) => ({
          key: known(entry.key),
          value: entry.value === null ? null : known(entry.value),
          means: `${means} include.path:`,
        })),
      );
    }
  }
  return { settings: included, unknown };
}
