import { unknownWord } from '../../shell/parameter.ts';
import { wholePattern } from '../../shell/pattern.ts';
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

/** `rsync -a --delete DIRECTORY/ TARGET`: what the target has beside it goes, unless it is left out. */
export function deletedBeside(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const target = textOf(operands.at(-1))?.replace(/\/$/, '');
  const sources = operands.slice(0, -1);
  const isWhole = sources.length > 0 && sources.every((source) => /(?:\/|^\.|\/\.)$/.test(textOf(source) ?? ''));
  const deletes = says(words, /^--del(?:ete(?:-\w+)*)?$/) && says(words, /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$/);
  // What a file of patterns leaves out is not looked up.
  if (
    target === undefined ||
    target.includes(':') ||
    !isWhole ||
    !deletes ||
    says(words, /^--(?:exclude-from|files-from)/)
  ) {
    return [];
  }
  const prefix = `${target}/`;
  const isLeftOut = leftOutBy(words);
  const fits = (path: string) =>
    !isLeftOut(path.slice(prefix.length)) && !/(?:^|\/)\.git(?:\/|$)/.test(path.slice(prefix.length));
  const path = { ...unknownWord(prefix, 'what rsync deletes is not known', false), prefix, fits };
  return [{ path, kind: 'remove', spares: sources }];
}

/** rsync(1) "FILTER RULES": what is left out is not deleted either, with all that is in it. */
function leftOutBy(words: readonly Word[]): (path: string) => boolean {
  const texts = words.map((word) => textOf(word) ?? '');
  const patterns = texts.flatMap((text, at) => {
    const [, option, attached] = /^--(exclude|filter)(?:=(.*))?$/s.exec(text) ?? [];
    const value = attached ?? texts[at + 1] ?? '';
    return option === undefined
      ? []
      : [option === 'filter' ? value.replace(/^(?:-|P|exclude|protect)[ _]/, '') : value];
  });
  const expressions = patterns.map((pattern) => {
    const name = pattern.replace(/^\/|\/(?:\*+)?$/g, '');
    const isAnchored = pattern.startsWith('/') || name.includes('/');
    const parts = [
      { kind: 'glob', text: name.split('*').length > mostStars ? '' : name.replace(/\*+/g, '*') },
    ] as const;
    return { isAnchored, expression: wholePattern(parts) };
  });
  const isNamed = (entry: string) =>
    expressions.some(({ isAnchored, expression }) =>
      expression?.test(isAnchored ? entry : entry.slice(entry.lastIndexOf('/') + 1)),
    );
  return (path) => path.split('/').some((_, at, parts) => isNamed(parts.slice(0, at + 1).join('/')));
}

/** A pattern with more of them takes too long to be tried, and nobody writes it. */
const mostStars = 6;

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
