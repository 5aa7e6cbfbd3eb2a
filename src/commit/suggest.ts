import { type CommitConvention, conventional } from './convention.ts';
import { type HeaderReading, readHeader } from './header-reading.ts';
import { type LintReport, lintMessage, type Problem } from './lint.ts';
import { parseMessage } from './parse.ts';
import type { Confidence } from './type-words.ts';
import { wrapLines } from './wrap.ts';

export interface Suggestion {
  /** The whole message, corrected; the linter finds no error in it. Ends without a newline. */
  readonly message: string;
  /** `guess`: a person must say whether type and scope are right. */
  readonly confidence: Confidence;
  /** What was assumed or dropped, in plain words. */
  readonly notes: readonly string[];
}

/** In UTF-16 code units. What is longer was not typed, and nobody reads a correction of it. */
const longest = 64 * 1024;

/**
 * A corrected message that says the same; null when there is nothing to correct, or when it can't be done without
 * inventing something (no hint at a type, a word longer than a line).
 *
 * @param message after git's cleanup
 * @param report of {@link lintMessage} on it, where the caller has it already
 */
export function suggestMessage(
  message: string,
  convention: CommitConvention = conventional,
  report: LintReport = lintMessage(message, convention),
): Suggestion | null {
  const parsed = parseMessage(message);
  if (report.problems.length === 0 || parsed.header === null || message.length > longest) {
    return null;
  }
  const lines = message.trimEnd().split(/\r?\n/).slice(parsed.header.firstLine);
  const reading = meantHeader(parsed.header.text, report, convention);
  if (reading !== null && (reading.type === null || reading.subject === '')) {
    return null;
  }
  const corrected = correct(reading === null ? lines : [written(reading), ...lines.slice(1)], convention);
  const final = lintMessage(corrected, convention);
  if (!final.valid || final.header.subject === null || corrected === message) {
    return null;
  }
  return { message: corrected, confidence: reading?.confidence ?? 'exact', notes: reading?.notes ?? [] };
}

/** The header read anew where its form or its type is wrong; null where it may stand. */
function meantHeader(header: string, report: LintReport, { types }: CommitConvention): HeaderReading | null {
  const formRules = ['type-empty', 'subject-empty', 'type-enum', 'type-case'];
  const { type, scope, subject, breaking } = report.header;
  if (!report.problems.some(({ rule }) => formRules.includes(rule))) {
    return null;
  }
  const reading = readHeader(header, types);
  if (type === null || subject === null || reading.scope === type || scope === null) {
    return reading;
  }
  return { ...reading, scope, subject: subject.trim(), breaking: breaking || reading.breaking };
}

function written({ type, scope, breaking, subject }: HeaderReading): string {
  return `${type}${scope === null ? '' : `(${scope})`}${breaking ? '!' : ''}: ${subject}`;
}

/** Does what the rules propose, one after the other, until nothing changes. */
function correct(lines: readonly string[], convention: CommitConvention): string {
  let message = lines.join('\n');
  for (let pass = 0; pass < 12; pass++) {
    const { problems } = lintMessage(message, convention);
    const next = problems.map((problem) => solve(message, problem, convention)).find((solved) => solved !== message);
    if (next === undefined) {
      break;
    }
    message = next;
  }
  return message;
}

function solve(message: string, problem: Problem, convention: CommitConvention): string {
  const { position, replacement } = problem;
  const lines = message.split(/\r?\n/);
  if (position === undefined) {
    return message;
  }
  const at = position.line - 1;
  const line = lines[at] ?? '';
  switch (problem.rule) {
    case 'body-leading-blank':
      return [lines[0] ?? '', '', ...lines.slice(1)].join('\n');
    case 'footer-leading-blank':
      return [...lines.slice(0, at), '', ...lines.slice(at)].join('\n');
    case 'header-max-length':
      return cutHeader(lines, convention.headerMaxLength);
    case 'body-max-line-length':
    case 'footer-max-line-length': {
      const limit = Math.min(convention.bodyMaxLineLength, convention.footerMaxLineLength);
      return [lines[0] ?? '', ...wrapLines(lines.slice(1), limit)].join('\n');
    }
    default: {
      const before = line.slice(0, position.column - 1);
      const after = line.slice(position.column - 1 + position.length);
      return replacement === undefined ? message : lines.with(at, before + replacement + after).join('\n');
    }
  }
}

/** Cuts an over-long header at a word; the rest opens the body. */
function cutHeader(lines: readonly string[], limit: number): string {
  const [written = '', ...rest] = lines;
  const header = written.replace(/(\S)\s{2,}/g, '$1 ');
  if (header.length <= limit) {
    return [header, ...rest].join('\n');
  }
  const room = header.slice(0, limit - 4 + 1);
  const cut = room.lastIndexOf(' ');
  const subjectStart = header.indexOf(': ') + 2;
  if (cut <= subjectStart) {
    return lines.join('\n');
  }
  const body = rest.join('\n').replace(/^\n+/, '');
  const moved = `... ${header.slice(cut + 1)}`;
  return [`${header.slice(0, cut)} ...`, '', moved, ...(body === '' ? [] : ['', body])].join('\n');
}
