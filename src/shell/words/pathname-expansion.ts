import { posix } from 'node:path';
import type { ShellOptions } from '../builtins/shell-options.ts';
import type { ScriptOverlay } from '../script-overlay.ts';
import type { Piece } from './field.ts';
import { wholePattern } from './pattern.ts';

/** More matches than this stay a pattern: nobody judges a thousand file names one by one. */
const maximumMatches = 256;
const maximumEntries = 4096;

/** How a shell looks for files: bash(1) "shopt". */
export type GlobOptions = Pick<ShellOptions, 'dotglob' | 'globstar' | 'nocaseglob'>;

/** Names that GLOBIGNORE leaves out, and the options as they are then: bash(1) "GLOBIGNORE". @param patterns its value */
export function ignoringNames(
  patterns: string,
  options: GlobOptions,
): { readonly options: GlobOptions; readonly leavesOut: (path: string) => boolean } {
  const expressions = patterns.split(':').map((text) => wholePattern([{ kind: 'split', text }]));
  return {
    options: { ...options, dotglob: true },
    leavesOut: (path) => expressions.some((expression) => expression?.test(path) === true),
  };
}

/**
 * The paths a field with pattern characters matches (bash(1) "Pathname Expansion"), sorted. An empty list means that
 * nothing matches, so the field stays as it is; null that it can't be told.
 */
export function expandPathname(
  field: readonly Piece[],
  cwd: string,
  files: ScriptOverlay,
  options: GlobOptions,
): readonly string[] | null {
  const segments = splitSegments(field);
  const place = { cwd, files, options };
  let paths: string[] = [''];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const next =
      options.globstar && isGlobstar(segment)
        ? below(paths, isLast, place)
        : expandSegment(paths, segment, isLast, place);
    if (next === null || next.length > maximumMatches) {
      return null;
    }
    paths = next;
  }
  return paths.sort();
}

interface Place {
  readonly cwd: string;
  readonly files: ScriptOverlay;
  readonly options: GlobOptions;
}

/** `**` alone between slashes. */
function isGlobstar(segment: readonly Piece[]): boolean {
  return (
    segment.length > 0 &&
    segment.map((piece) => ('text' in piece && piece.kind !== 'quoted' ? piece.text : '?')).join('') === '**'
  );
}

/** No directory, or any that is below; at the end, the files there as well. bash(1) "globstar" follows no links. */
function below(paths: readonly string[], last: boolean, { cwd, files, options }: Place): string[] | null {
  const found: string[] = [];
  const open = [...paths].reverse();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const names = files.list(posix.resolve(cwd, path)) ?? [];
    if (names.length > maximumEntries || found.length > maximumMatches) {
      return null;
    }
    if (!last || path !== '') {
      found.push(path);
    }
    for (const name of names.filter((one) => options.dotglob || !one.startsWith('.'))) {
      const whole = posix.resolve(cwd, path + name);
      if (files.isDirectory(whole) && !files.isLink(whole)) {
        open.push(`${path}${name}/`);
      } else if (last) {
        found.push(path + name);
      }
    }
  }
  return found.map((path) => (last ? path.replace(/\/$/, '') : path));
}

function expandSegment(
  paths: readonly string[],
  segment: readonly Piece[],
  last: boolean,
  place: Place,
): string[] | null {
  const isPattern = segment.some(
    (piece) => piece.kind === 'glob' || (piece.kind === 'split' && /[*?[]/.test(piece.text)),
  );
  if (!isPattern) {
    const text = segment.map((piece) => ('text' in piece ? piece.text : '')).join('');
    return paths.map((path) => path + text + (last ? '' : '/')).filter((path) => !last || exists(path, place));
  }
  const expression = wholePattern(segment, undefined, place.options.nocaseglob ? 'i' : '');
  if (expression === null) {
    return null;
  }
  const [first] = segment;
  const beginning = first !== undefined && 'text' in first ? first.text : '';
  const showsHidden = place.options.dotglob || /^\.|^[?*+@]\((?:.*\|)?\./.test(beginning);
  const found: string[] = [];
  for (const path of paths) {
    const names = place.files.list(posix.resolve(place.cwd, path)) ?? [];
    if (names.length > maximumEntries) {
      return null;
    }
    for (const name of names) {
      if ((showsHidden || !name.startsWith('.')) && expression.test(name)) {
        found.push(path + name + (last ? '' : '/'));
      }
    }
  }
  return last ? found : found.filter((path) => place.files.isDirectory(posix.resolve(place.cwd, path)));
}

function exists(path: string, { cwd, files }: Place): boolean {
  return files.exists(posix.resolve(cwd, path));
}

function splitSegments(field: readonly Piece[]): Piece[][] {
  const segments: Piece[][] = [[]];
  for (const piece of field) {
    if (!('text' in piece) || piece.kind === 'glob') {
      segments.at(-1)?.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split('/').entries()) {
      if (index > 0) {
        segments.push([]);
      }
      if (text !== '') {
        segments.at(-1)?.push({ ...piece, text });
      }
    }
  }
  return segments;
}
