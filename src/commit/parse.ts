import { namesIssue } from './issue-reference.ts';

/** The first line that counts. */
export interface HeaderLine {
  readonly text: string;
  /** Its index in {@link ParsedMessage.lines}. */
  readonly firstLine: number;
}

/** Body or footer, without blank lines around it. */
export interface Section {
  readonly lines: readonly string[];
  /** Index of its first line in {@link ParsedMessage.lines}. */
  readonly firstLine: number;
}

/** A commit message taken apart as conventional-commits-parser does with the conventionalcommits preset. */
export interface ParsedMessage {
  /** The message as it was given, by lines. */
  readonly lines: readonly string[];
  /** Null for an empty message. */
  readonly header: HeaderLine | null;
  readonly type: string | null;
  readonly scope: string | null;
  readonly subject: string | null;
  /** `!` in the header, or a `BREAKING CHANGE` note. */
  readonly breaking: boolean;
  readonly body: Section | null;
  readonly footer: Section | null;
}

const headerPattern = /^(\w*)(?:\((.*)\))?(!?): (.*)$/;
const notePattern = /^[\s|*]*(?:BREAKING CHANGE|BREAKING-CHANGE)[:\s]+/i;

/**
 * Takes a commit message apart. The parser's own idea of a footer is kept: it begins at the first line after the
 * header that names an issue (`#12`, `closes #12`) or is a `BREAKING CHANGE` note; other trailers belong to the body.
 *
 * @param message after git's cleanup; trailing newlines are of no importance
 */
export function parseMessage(message: string): ParsedMessage {
  const lines = splitLines(message);
  const { texts, lineOf } = contentOf(message, lines);
  const [header] = texts;
  const footerAt = mayHaveFooter.test(message) ? texts.findIndex((text, at) => at > 0 && startsFooter(text)) : -1;
  const bodyEnd = footerAt === -1 ? texts.length : footerAt;
  const matched = header?.match(headerPattern);
  return {
    lines,
    header: header === undefined || header === '' ? null : { text: header, firstLine: lineOf(0) },
    type: matched?.[1] || null,
    scope: matched?.[2] || null,
    subject: matched?.[4] || null,
    breaking: matched?.[3] === '!' || texts.slice(bodyEnd).some((text) => notePattern.test(text)),
    body: section(texts, lineOf, 1, bodyEnd),
    footer: section(texts, lineOf, bodyEnd, texts.length),
  };
}

/** The lines that count: without the newlines around the message, and without `gpg:` lines. */
interface Content {
  readonly texts: readonly string[];
  /** Where a text stands in the message, by its index. */
  readonly lineOf: (index: number) => number;
}

function contentOf(message: string, lines: readonly string[]): Content {
  const trimmed = trimNewlines(message);
  const texts = trimmed === message ? lines : splitLines(trimmed);
  const above = message.slice(0, message.search(/[^\r\n]|$/)).split('\n').length - 1;
  if (!trimmed.includes('gpg:')) {
    return { texts, lineOf: (index) => above + index };
  }
  const kept = [...texts.keys()].filter((index) => !/^\s*gpg:/.test(texts[index] ?? ''));
  return { texts: kept.map((index) => texts[index] ?? ''), lineOf: (index) => above + (kept[index] ?? 0) };
}

function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
}

/** What no footer can do without: most messages need no closer look. */
const mayHaveFooter = /#|breaking/i;

function startsFooter(line: string): boolean {
  return notePattern.test(line) || namesIssue(line);
}

function section(texts: readonly string[], lineOf: Content['lineOf'], start: number, end: number): Section | null {
  let [first, last] = [start, end - 1];
  while (first <= last && isBlank(texts[first])) {
    first++;
  }
  while (last > first && isBlank(texts[last])) {
    last--;
  }
  if (first > last) {
    return null;
  }
  const lines = texts.slice(first, last + 1);
  const hasReturns = lines.some((line) => line.includes('\r'));
  return { lines: hasReturns ? splitLines(trimNewlines(lines.join('\n'))) : lines, firstLine: lineOf(first) };
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line === '' || /^\r+$/.test(line);
}

function trimNewlines(text: string): string {
  const first = text.search(/[^\r\n]/);
  if (first === -1) {
    return '';
  }
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') {
    end--;
  }
  return text.slice(first, end);
}
