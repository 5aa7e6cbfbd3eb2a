import { readFileSync } from 'node:fs';
import { isRegularFile } from '../git/files.ts';
import { type CommitConvention, conventional, type Level, type RuleName } from './convention.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A program that only names what it extends, as commitlint's own guide has it. */
const plainProgram =
  /^(?:(?:export\s+default|module\.exports\s*=)\s*)(\{\s*extends\s*:\s*(?:\[\s*)?(["'])@commitlint\/config-conventional\2\s*,?\s*\]?\s*,?\s*\})\s*;?\s*$/;

/** Keys that change no verdict. */
const silentKeys = new Set(['$schema', 'helpUrl', 'prompt', 'formatter', 'extends', 'rules']);

/**
 * What a commitlint configuration asks for, where it is data that says nothing but config-conventional with other
 * types, scopes, lengths and levels. Nothing of it is run or loaded.
 *
 * @param path absolute, as `findCommitlintConfiguration` gives it
 * @returns null where only commitlint itself can tell
 */
export function readCommitlintData(path: string): CommitConvention | null {
  const written = dataIn(path);
  if (!isRecord(written)) {
    return null;
  }
  const parents = [written.extends ?? []].flat();
  const isConventional = parents.length === 1 && parents[0] === '@commitlint/config-conventional';
  const isSilent = Object.keys(written).every((key) => silentKeys.has(key));
  const rules = written.rules ?? {};
  if (!isConventional || !isSilent || !isRecord(rules)) {
    return null;
  }
  let convention: CommitConvention | null = conventional;
  for (const [name, rule] of Object.entries(rules)) {
    convention = convention && withRule(convention, name, rule);
  }
  return convention;
}

function dataIn(path: string): unknown {
  if (!isRegularFile(path)) {
    return null;
  }
  try {
    const text = readFileSync(path, 'utf8');
    if (/\.(?:[cm]?[jt]s)$/.test(path)) {
      return plainProgram.test(withoutComments(text)) ? { extends: '@commitlint/config-conventional' } : null;
    }
    const data: unknown = JSON.parse(text);
    return path.endsWith('package.json') && isRecord(data) ? data.commitlint : data;
  } catch {
    return null;
  }
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').trim();
}

const levels: Readonly<Record<number, Level | 'off'>> = { 0: 'off', 1: 'warning', 2: 'error' };

/** The convention with one rule, `[level, applicability, value]`; null where ours has no such rule. */
function withRule(convention: CommitConvention, name: string, rule: unknown): CommitConvention | null {
  const [number, applicable = 'always', value] = [rule].flat() as unknown[];
  const level = typeof number === 'number' ? levels[number] : undefined;
  if (level === undefined) {
    return null;
  }
  if (!Object.hasOwn(convention.levels, name)) {
    return level === 'off' ? convention : null;
  }
  const next = { ...convention, levels: { ...convention.levels, [name as RuleName]: level } };
  return level === 'off' ? next : applicable === 'always' ? withValue(next, name, value) : null;
}

function withValue(convention: CommitConvention, name: string, value: unknown): CommitConvention | null {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const isLength = typeof value === 'number' && Number.isInteger(value) && value > 0;
  switch (name) {
    case 'type-enum':
      return isList && value.length > 0 ? { ...convention, types: value } : null;
    case 'scope-enum':
      return isList ? { ...convention, scopes: value } : null;
    case 'header-max-length':
      return isLength ? { ...convention, headerMaxLength: value } : null;
    case 'body-max-line-length':
      return isLength ? { ...convention, bodyMaxLineLength: value } : null;
    case 'footer-max-line-length':
      return isLength ? { ...convention, footerMaxLineLength: value } : null;
    case 'type-case':
      return value === 'lower-case' ? convention : null;
    case 'header-trim':
    case 'body-leading-blank':
    case 'footer-leading-blank':
      return value === undefined ? convention : null;
    default:
      return null;
  }
}
