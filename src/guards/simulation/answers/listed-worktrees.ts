import { programName, type SimpleCommand } from '../../../shell/simple-command.ts';
import { unknownWord } from '../../../shell/words/parameter.ts';
import type { UnknownWord } from '../../git-command/words.ts';

/** git-worktree(1) "list", with and without `--porcelain`. */
const listed = /^(?:worktree )?(\/.*?)(?=\s*$|\s+(?:[0-9a-f]{4,} |\(bare\)))/gm;

/**
 * Work trees that git has named to a line. What a program chooses of such a list, in a way that is not followed, is still the
 * name of one of them: `git worktree list | grep -o '/.*-old' | xargs rm -rf`.
 */
export class ListedWorktrees {
  readonly #paths = new Set<string>();

  /** @param text as git prints it */
  record(text: string): void {
    for (const [, path = ''] of text.matchAll(listed)) {
      this.#paths.add(path);
    }
  }

  /** What a program prints that reads some of their names; null: it reads none. */
  outOf({ argv, input }: SimpleCommand): UnknownWord | null {
    const text = input?.kind === 'text' && this.#paths.size > 0 ? input.text : null;
    if (text === null || ![...this.#paths].some((path) => text.includes(path))) {
      return null;
    }
    const program = programName(argv[0]) ?? '';
    return { ...unknownWord(program, `the output of ${program} is not known`), names: 'work trees' };
  }
}
