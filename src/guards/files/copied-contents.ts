import { join } from 'node:path';
import { directoryEntries } from '../../git/files.ts';
import { unknownWord } from '../../shell/parameter.ts';
import { wholePattern } from '../../shell/pattern.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import type { FileChange } from './file-change.ts';

/** Is something said by a letter among others, or by one of these options? */
const says = (words: readonly Word[], option: RegExp) => words.some((word) => option.test(beginningOf(word)));

/**
 * `cp -r DIRECTORY/. TARGET`, `cp -rT DIRECTORY TARGET`: a repository's `.git` comes along, over the one that is there,
 * and so does everything else that the directory has.
 *
 * @param sources what is copied
 */
export function copiedContents(
  sources: readonly Word[],
  target: Word | undefined,
  words: readonly Word[],
): readonly FileChange[] {
  const isWhole = says(words, /^-[a-zA-Z]*T|^--no-target-directory$/);
  const isContents = (source: string) => isWhole || /(?:^|\/)\.{1,2}\/?$/.test(source);
  return says(words, /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/)
    ? [...broughtAlong(sources, target, isContents), ...directories(sources, target, { words, isContents })]
    : [];
}

/** `rsync -a DIRECTORY/ TARGET` */
export function synchronizedContents(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const [sources, target] = [operands.slice(0, -1), operands.at(-1)];
  const isCvs = says(words, /^-[a-zA-Z]*C/);
  const isContents = (source: string) => /(?:\/|^\.|\/\.)$/.test(source);
  return says(words, /^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$/)
    ? [
        ...(isCvs || leavesOutGit(words) ? [] : broughtAlong(sources, target, isContents)),
        ...directories(sources, target, { words, isContents }),
      ]
    : [];
}

interface Copying {
  readonly words: readonly Word[];
  readonly isContents: (source: string) => boolean;
}

/** Directories that are copied with all that is in them, over what is there under the same names. */
function directories(
  sources: readonly Word[],
  target: Word | undefined,
  { words, isContents }: Copying,
): readonly FileChange[] {
  // cp(1), rsync(1): what is there stays.
  const spares = says(words, /^-(?!-)[a-zA-Z]*n|^--(?:no-clobber|ignore-existing)$/);
  const isFiltered = says(words, /^--(?:exclude-from|files-from|include)/);
  if (target === undefined || spares || isFiltered || textOf(target)?.includes(':') === true) {
    return [];
  }
  const leavesOut = leftOutBy(words);
  return sources.map((from) => ({
    path: target,
    kind: 'write',
    contents: { from, keepsName: !isContents(textOf(from) ?? ''), leavesOut },
  }));
}

/** More entries of a directory are not looked at; those that matter lie near its top. */
const maximumEntries = 1000;

/** What lies in a directory, by its name there, what is near before what is deep; never a repository's own files. */
export function namesBelow(directory: string): readonly string[] {
  const found: string[] = [];
  const left = [''];
  for (const place of left) {
    const entries = found.length > maximumEntries ? [] : directoryEntries(join(directory, place));
    for (const entry of entries.filter(({ name }) => name !== '.git' && name !== 'node_modules')) {
      (entry.isDirectory() ? left : found).push(join(place, entry.name));
    }
  }
  return found;
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

function broughtAlong(
  sources: readonly Word[],
  target: Word | undefined,
  isContents: (source: string) => boolean,
): readonly FileChange[] {
  const directory = textOf(target)?.replace(/\/$/, '');
  return sources.flatMap((source): FileChange[] =>
    directory !== undefined && !directory.includes(':') && isContents(textOf(source) ?? '')
      ? [{ path: known(`${directory}/.git`), kind: 'write', broughtFrom: known(`${textOf(source)}/.git`) }]
      : [],
  );
}
