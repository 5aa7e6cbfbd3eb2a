import type { Word } from '../../shell/simple-command.ts';
import { everything } from './index-commands.ts';
import type { Arguments } from './parse-options.ts';
import type { SubcommandCall } from './subcommand.ts';
import { known } from './words.ts';

/** The paths of `--pathspec-from-file`, everything where they can't be known; null: the option is not given. */
export function pathsFromFile(args: Arguments, { input }: SubcommandCall): readonly Word[] | null {
  const file = args.value('pathspec-from-file');
  if (file === undefined) {
    return null;
  }
  const isRead = file.kind === 'known' && file.value === '-' && input?.kind === 'text';
  const isListed = args.has('pathspec-file-nul');
  const paths = isRead ? input.text.split(isListed ? '\0' : /\r?\n/).filter((path) => path !== '') : [];
  // git takes a line in double quotes apart as a string of C.
  const isPlain = isListed || paths.every((path) => !path.startsWith('"'));
  return paths.length > 0 && isPlain ? paths.map(known) : [everything];
}
