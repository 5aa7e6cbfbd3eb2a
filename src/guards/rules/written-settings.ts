import { parseList } from '../../git/configuration.ts';
import { quoteCommand } from '../../quote.ts';
import { readCommandLine } from '../../shell/command-line.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
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
  const top = content === null || !/\/\.git\/config(?:\.worktree)?$/.test(path) ? null : workTreeAbove(path);
  const repository = top === null ? null : await world.open(top).catch(() => null);
  if (content === null || top === null || repository === null) {
    return [];
  }
  const options = { input: content, pinSettings: false };
  const output = await repository.git.run(['config', '--file', '-', '--list', '-z'], options);
  const lines = parseList(output.stdout.toString('utf8')).map(({ key, value }) =>
    quoteCommand(['git', 'config', '--local', '--add', key, value ?? 'true']),
  );
  return lines.length === 0 ? [] : judgeSteps(readCommandLine(lines.join('\n'), { cwd: top, env: world.env }).steps);
}
