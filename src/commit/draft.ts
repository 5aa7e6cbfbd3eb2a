import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wrapLines } from './wrap.ts';

/** What a person has said so far about a commit. Empty texts are answers, too: "none". */
export interface Draft {
  readonly type?: string;
  readonly scope?: string;
  readonly subject?: string;
  /** `\n`, as two characters, stands for a line break. */
  readonly body?: string;
  /** What breaks, and what to do about it. */
  readonly breaking?: string;
  /** `#12, #13` or `closes #12`. */
  readonly issues?: string;
}

/**
 * The message a draft makes, body and footer wrapped.
 *
 * @param limit of a body line, in UTF-16 code units
 */
export function composeMessage(draft: Draft, limit: number): string {
  const { body = '', breaking = '', issues = '' } = draft;
  const footer = [
    ...(breaking.trim() === '' ? [] : [`BREAKING CHANGE: ${breaking.trim()}`]),
    ...(issues.trim() === '' ? [] : [closing(issues)]),
  ];
  const paragraphs = [composeHeader(draft), wrapped(body, limit), wrapped(footer.join('\n'), limit)];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

export function composeHeader({ type = '', scope = '', subject = '', breaking = '' }: Draft): string {
  const mark = breaking.trim() === '' ? '' : '!';
  return `${type}${scope.trim() === '' ? '' : `(${scope.trim()})`}${mark}: ${subject.trim()}`;
}

/** Bare numbers are closed; whoever writes `refs #12` means that. */
function closing(issues: string): string {
  const names = issues.match(/^[\s,]*(?:#?\d+[\s,]*)+$/) === null ? null : issues.match(/\d+/g);
  return names === null ? issues.trim() : names.map((name) => `Closes #${name}`).join('\n');
}

function wrapped(text: string, limit: number): string {
  return wrapLines(text.replaceAll('\\n', '\n').trim().split('\n'), limit).join('\n');
}

/** Where the draft of a work tree is kept. */
function draftFile(gitDir: string): string {
  return join(gitDir, 'oxide-guard', 'commit-draft.json');
}

/** The draft that was kept; null when there is none, or none that can be read. */
export function readDraft(gitDir: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(readFileSync(draftFile(gitDir), 'utf8'));
    const isDraft = typeof draft === 'object' && draft !== null && !Array.isArray(draft);
    const isText = isDraft && Object.values(draft).every((answer) => typeof answer === 'string');
    return isText ? (draft as Draft) : null;
  } catch {
    return null;
  }
}

/** Keeps what has been said so far. A draft without an answer is not kept. */
export function keepDraft(gitDir: string, draft: Draft): void {
  if (Object.keys(draft).length > 0) {
    mkdirSync(dirname(draftFile(gitDir)), { recursive: true });
    writeFileSync(draftFile(gitDir), JSON.stringify(draft));
  }
}

export function dropDraft(gitDir: string): void {
  rmSync(draftFile(gitDir), { force: true });
}
