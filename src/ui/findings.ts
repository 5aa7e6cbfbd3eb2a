import type { Verdict } from '../config/rules.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { type Finding, isCut } from '../guards/finding.ts';
import type { Paint } from './paint.ts';

/** How many commits and files are listed under a finding; the sentence says how many there are. */
const listed = 5;

/**
 * Findings for people: a sentence each, what is at stake under it, and the command that helps.
 *
 * @returns lines without newlines at their end
 */
export function findingLines(findings: readonly Finding[], paint: Paint): readonly string[] {
  return findings.flatMap((finding) => linesOf(finding, paint));
}

function linesOf({ verdict, rule, message, evidence, suggestion }: Finding, paint: Paint): readonly string[] {
  const [first = '', ...rest] = printable(message).split('\n');
  const commits = evidence.commits.map(
    ({ oid, subject, author, date }) =>
      `    ${paint.yellow(oid.slice(0, 7))} ${printable(subject)} ${paint.dim(`(${printable(author)}, ${date.slice(0, 10)})`)}`,
  );
  const files = evidence.files.map((file) => `    ${quotedPath(file)}`);
  const isListed = rest.length > 0;
  return [
    `${sign(verdict, paint)} ${first} ${paint.dim(`[${rule}]`)}`,
    ...rest,
    ...(isListed ? [] : shorten(commits, isCut(evidence), paint)),
    ...shorten(files, isCut(evidence), paint),
    ...(suggestion === null ? [] : [`    ${paint.dim('→')} ${paint.bold(printable(suggestion))}`]),
  ];
}

function sign(verdict: Verdict, paint: Paint): string {
  switch (verdict) {
    case 'deny':
      return paint.red('✗');
    case 'ask':
      return paint.yellow('?');
    case 'allow':
      return paint.cyan('!');
  }
}

function shorten(lines: readonly string[], isOpen: boolean, paint: Paint): readonly string[] {
  const more = isOpen ? 'more' : `${lines.length - listed} more`;
  return lines.length <= listed ? lines : [...lines.slice(0, listed), paint.dim(`    … and ${more}`)];
}

/** Text for a line of its own on a terminal: line ends are shown as `⏎`. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', ' ⏎ '));
}

/** Text for a terminal. Names come from repositories and agents: nothing in them may act on it. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '\ufffd');
}
