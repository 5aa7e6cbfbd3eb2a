import type { Directory, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { isWithin } from './files/guarded-file.ts';
import { textOf } from './git-command/words.ts';
import type { Discarded, Intent } from './intent.ts';

/** What a pathspec begins with, or has, that makes it more than a path: gitglossary(7) "pathspec". */
const patternLike = /^:|[*?[]/;

/**
 * Does git put back what it tracks at a path, or somewhere below it? By what it discards; of a switch between branches nothing
 * is known by that.
 *
 * @param path absolute
 * @param from where git is told of it
 */
export function putsBack(intent: Intent, path: string, from: Directory): boolean {
  if (intent.kind === 'stash') {
    const { action, partial, paths } = intent;
    return action === 'push' && (!partial || (paths !== undefined && covers(paths, path, from)));
  }
  return intent.kind === 'discard' && givesBack(intent.what, path, from);
}

function givesBack(what: Discarded, path: string, from: Directory): boolean {
  switch (what.kind) {
    case 'tracked':
      return true;
    case 'paths':
      return what.removes !== true && what.from !== 'conflicts' && covers(what.paths, path, from);
    case 'branch-or-path':
      return covers(what.words, path, from);
    default:
      return false;
  }
}

/** May one of the pathspecs match it? */
function covers(given: readonly Word[], path: string, from: Directory): boolean {
  return given.some((word) => {
    const named = patternLike.test(textOf(word) ?? ':') ? null : absolutePath(word, from);
    return named === null || isWithin(path, named) || isWithin(named, path);
  });
}
