import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { OxideError } from '../errors.ts';
import type { SettingsEntry } from './hook-settings.ts';
import { withoutValue, withValue } from './settings-edits.ts';

/** Is this element of somebody's settings one of ours, from whatever version and place? */
export type IsOurs = (element: unknown) => boolean;

/**
 * A settings file's text with the entries in it: comments, key order, indentation and everything unknown stay as they
 * are. An entry of ours that is there already is replaced in its place.
 *
 * @throws OxideError `settings-unreadable` where the text is no JSON with comments, or holds something else at the path
 */
export function addEntries(
  text: string,
  entries: readonly SettingsEntry[],
  defaults: Readonly<Record<string, unknown>>,
  isOurs: IsOurs,
): string {
  let edited = text.trim() === '' ? '{}\n' : text;
  for (const [key, value] of Object.entries(defaults)) {
    if (nodeAt(edited, [key]) === undefined) {
      edited = withValue(edited, [key], value);
    }
  }
  for (const { path, element } of entries) {
    edited = addEntry(edited, path, element, isOurs);
    if (!isVisible(edited, path, isOurs)) {
      throw new OxideError('settings-unreadable', `One of the names in '${path.join('.')}' stands there twice.`);
    }
  }
  return edited;
}

/** Of two fields of one name a JSON reader takes the last, and an editor of the text the first. */
function isVisible(text: string, path: readonly string[], isOurs: IsOurs): boolean {
  let value: unknown = parse(text, [], { allowTrailingComma: true });
  for (const name of path) {
    value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  }
  return Array.isArray(value) && value.some(isOurs);
}

function addEntry(text: string, path: readonly string[], element: unknown, isOurs: IsOurs): string {
  const list = nodeAt(text, path);
  if (list === undefined) {
    const above = path.map((_, length) => path.slice(0, length)).find((part) => isOther(nodeAt(text, part)));
    if (above !== undefined) {
      throw new OxideError('settings-unreadable', `'${above.join('.')}' is no object in these settings.`);
    }
    return withValue(text, path, [element]);
  }
  if (list.type !== 'array') {
    throw new OxideError('settings-unreadable', `'${path.join('.')}' is not a list in these settings.`);
  }
  const elements = (list.children ?? []).map((child): unknown => getNodeValue(child));
  const present = elements.findIndex(isOurs);
  if (present === -1) {
    return withValue(text, [...path, elements.length], element);
  }
  const isSame = JSON.stringify(elements[present]) === JSON.stringify(element);
  return isSame ? text : withValue(text, [...path, present], element);
}

/** Is something there that is no object? */
function isOther(node: Node | undefined): boolean {
  return node !== undefined && node.type !== 'object';
}

/** What stands in a list of somebody's settings; nothing where there is none, or the text can't be read. */
export function elementsAt(text: string, path: readonly string[]): readonly unknown[] {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const list = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  return list?.type === 'array' ? (list.children ?? []).map((child): unknown => getNodeValue(child)) : [];
}

/** The text without our entries, and without the lists and objects that are empty for it. */
export function removeEntries(text: string, entries: readonly Pick<SettingsEntry, 'path'>[], isOurs: IsOurs): string {
  let edited = text;
  for (const { path } of entries) {
    for (;;) {
      const elements = (nodeAt(edited, path)?.children ?? []).map((child): unknown => getNodeValue(child));
      const ours = elements.findIndex(isOurs);
      if (ours === -1) {
        break;
      }
      edited = elements.length === 1 ? removeEmpty(edited, path) : withoutValue(edited, [...path, ours]);
    }
  }
  return edited;
}

/** Removes what is at a path, or the outermost container that holds nothing else. */
function removeEmpty(text: string, path: readonly string[]): string {
  const parent = path.slice(0, -1);
  const isAlone = parent.length > 0 && nodeAt(text, parent)?.children?.length === 1;
  return isAlone ? removeEmpty(text, parent) : withoutValue(text, path);
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (tree === undefined || error !== undefined || tree.type !== 'object') {
    const line = text.slice(0, error?.offset ?? 0).split('\n').length;
    throw new OxideError('settings-unreadable', `These settings are no JSON object (line ${line}).`);
  }
  return findNodeAtLocation(tree, [...path]);
}
