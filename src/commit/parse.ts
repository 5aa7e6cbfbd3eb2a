import { namesIssue } from './issue-reference.ts';

/** A run of whole lines of the message. */
export interface Section {
  readonly text: string;
  /** Index of its first line in {@link ParsedMessage.lines}. */
  readonly firstLine: number;
}

/** A commit message taken apart as conventional-commits-parser does with the conventionalcommits preset. */
export interface ParsedMessage {
  /** The message as it was given, by lines. */
  readonly lines: readonly string[];
  /** Null for an empty message. */
  readonly header: Section | null;
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
  const content = contentLines(message, lines);
  const rest = content.slice(1);
  const footerAt = mayHaveFooter.test(message) ? rest.findIndex(({ text }) => startsFooter(text)) : -1;
  const body = footerAt === -1 ? rest : rest.slice(0, footerAt);
  const footer = footerAt === -1 ? [] : rest.slice(footerAt);
  const [header] = content;
  const matched = header?.text.match(headerPattern);
  return {
    lines,
    header: header === undefined || header.text === '' ? null : { text: header.text, firstLine: header.index },
    type: matched?.[1] || null,
    scope: matched?.[2] || null,
    subject: matched?.[4] || null,
    breaking: matched?.[3] === '!' || footer.some(({ text }) => notePattern.test(text)),
    body: section(body),
    footer: section(footer),
  };
}

interface Line {
  readonly text: string;
  readonly index: number;
}

function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
}

/** The lines that count: without the newlines around the message, and without `gpg:` lines. */
function contentLines(message: string, lines: readonly string[]): Line[] {
  const trimmed = trimNewlines(message);
  const above = message.slice(0, message.search(/[^\r\n]|$/)).split('\n').length - 1;
  const numbered = (trimmed === message ? lines : splitLines(trimmed)).map((text, index) => ({
    text,
    index: above + index,
  }));
  return trimmed.includes('gpg:') ? numbered.filter(({ text }) => !/^\s*gpg:/.test(text)) : numbered;
}

/** What no footer can do without: most messages need no closer look. */
const mayHaveFooter = /#|breaking/i;

function startsFooter(line: string): boolean {
  return notePattern.test(line) || namesIssue(line);
}

function section(lines: readonly Line[]): Section | null {
  const text = trimNewlines(lines.map((line) => line.text).join('\n'));
  const first = lines.find((line) => /[^\r]/.test(line.text));
  return first === undefined ? null : { text, firstLine: first.index };
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
