import { dirname } from 'node:path';
import { parseList } from '../../../git/settings/configuration.ts';
import { quoteCommand } from '../../../quote.ts';
import { readCommandLine } from '../../../shell/command-line.ts';
import { guardedFile, mayBeGuarded, workTreeAbove } from '../../files/guarded-file.ts';
import type { Finding } from '../../finding.ts';
import type { JudgeSteps } from '../../git-call.ts';
import type { World } from '../../world.ts';

/**
 * `printf '[core]\n\thooksPath = x\n' >>.git/config`: what a text that is written there sets is judged as if git set it.
 *
 * @param path absolute
 * @param content null where it is not known
 */
export async function judgeWrittenSettings(
  path: string,
  content: string | null,
  world: World,
  judgeSteps: JudgeSteps,
): Promise<readonly Finding[]> {
  const place = content === null ? null : placeOf(path, world);
  const repository = place === null ? null : await world.open(place.directory).catch(() => null);
  if (content === null || place === null || repository === null) {
    return [];
  }
  const options = { input: content, pinSettings: false };
  const output = await repository.git.run(['config', '--no-includes', '--file', '-', '--list', '-z'], options);
  const lines = parseList(output.stdout.toString('utf8')).map(({ key, value }) =>
    quoteCommand(['git', 'config', place.scope, '--add', key, value ?? 'true']),
  );
  return lines.length === 0
    ? []
    : judgeSteps(readCommandLine(lines.join('\n'), { cwd: place.directory, env: world.env }).steps);
}

interface Place {
  /** Where git reads the file. */
  readonly directory: string;
  readonly scope: '--local' | '--global';
}

/** Null: git reads no settings from there. */
function placeOf(path: string, world: World): Place | null {
  const kind = mayBeGuarded(path) ? guardedFile(path, null, world.env)?.kind : undefined;
  if (kind === 'git-configuration') {
    return { directory: dirname(path), scope: '--local' };
  }
  if (kind === 'user-configuration') {
    return { directory: world.start, scope: '--global' };
  }
  return world.isIncluded(path, workTreeAbove(path)) ? { directory: world.start, scope: '--local' } : null;
}
