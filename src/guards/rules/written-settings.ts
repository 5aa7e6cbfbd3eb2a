import { dirname } from 'node:path';
import { parseList } from '../../git/configuration.ts';
import { quoteCommand } from '../../quote.ts';
import { readCommandLine } from '../../shell/command-line.ts';
import { guardedFile, mayBeGuarded } from '../files/guarded-file.ts';
import type { Finding } from '../finding.ts';
import type { JudgeSteps } from '../git-call.ts';
import type { World } from '../world.ts';

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
  const isConfiguration =
    content !== null && mayBeGuarded(path) && guardedFile(path, null, world.env)?.kind === 'git-configuration';
  const gitDirectory = isConfiguration ? dirname(path) : null;
  const repository = gitDirectory === null ? null : await world.open(gitDirectory).catch(() => null);
  if (content === null || gitDirectory === null || repository === null) {
    return [];
  }
  const options = { input: content, pinSettings: false };
  const output = await repository.git.run(['config', '--file', '-', '--list', '-z'], options);
  const lines = parseList(output.stdout.toString('utf8')).map(({ key, value }) =>
    quoteCommand(['git', 'config', '--local', '--add', key, value ?? 'true']),
  );
  return lines.length === 0
    ? []
    : judgeSteps(readCommandLine(lines.join('\n'), { cwd: gitDirectory, env: world.env }).steps);
}
