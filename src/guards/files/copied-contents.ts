import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import type { FileChange } from './file-change.ts';

/** Is something said by a letter among others, or by one of these options? */
const says = (words: readonly Word[], option: RegExp) => words.some((word) => option.test(beginningOf(word)));

/** `cp -r DIRECTORY/. TARGET`, `cp -rT DIRECTORY TARGET`: a repository's `.git` comes along, over the one that is there. */
export function copiedContents(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const isWhole = says(words, /^-[a-zA-Z]*T|^--no-target-directory$/);
  return says(words, /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/)
    ? broughtAlong(operands, (source) => isWhole || /(?:^|\/)\.\/?$/.test(source))
    : [];
}

/** `rsync -a DIRECTORY/ TARGET` */
export function synchronizedContents(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const isCvs = says(words, /^-[a-zA-Z]*C/);
  return says(words, /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$/) && !isCvs && !leavesOutGit(words)
    ? broughtAlong(operands, (source) => /(?:\/|^\.|\/\.)$/.test(source))
    : [];
}

/** rsync(1) "--dry-run": it changes nothing. */
export function isDrySynchronization(words: readonly Word[]): boolean {
  return says(words, /^-[a-zA-Z]*n|^--dry-run$/);
}

/** rsync(1) "--exclude", "--filter": what is said of repositories. */
export function leavesOutGit(words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '');
  return texts.some((text, at) => {
    const pattern = /^--(?:exclude|filter)$/.test(texts[at - 1] ?? '')
      ? text
      : (/^--(?:exclude|filter)=(.*)$/.exec(text)?.[1] ?? '');
    return /(?:^|[\s/])\.git\/?\**$/.test(pattern);
  });
}

function broughtAlong(operands: readonly Word[], isContents: (source: string) => boolean): readonly FileChange[] {
  const target = textOf(operands.at(-1))?.replace(/\/$/, '');
  return operands
    .slice(0, -1)
    .flatMap((source): FileChange[] =>
      target !== undefined && !target.includes(':') && isContents(textOf(source) ?? '')
        ? [{ path: known(`${target}/.git`), kind: 'write', broughtFrom: known(`${textOf(source)}/.git`) }]
        : [],
    );
}
