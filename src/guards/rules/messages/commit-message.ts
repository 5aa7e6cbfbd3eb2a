import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CleanupOptions, cleanMessage } from '../../../commit/message.ts';
import { isRegularFile } from '../../../git/files.ts';
import { quoteWord } from '../../../quote.ts';
import { isDevicePath } from '../../../shell/device-path.ts';
import type { Input } from '../../../shell/simple-command.ts';
import { type Correction, type Finding, findings, type Objection } from '../../finding.ts';
import { begun, textOf } from '../../git-command/words.ts';
import type { CommitIntent } from '../../intent.ts';
import type { Convention } from '../../scene.ts';
import { possibleMessages } from './possible-messages.ts';

/** What a command says of its message, and how it reads without. */
export type MessageIntent = Pick<CommitIntent, 'message' | 'around' | 'cleanup'>;

/** Where the message's file and standard input are. */
export interface MessageSurroundings {
  /** Null where it can't be known. */
  readonly cwd: string | null;
  readonly input: Input | null;
  /** Files that the command line itself writes. */
  readonly writtenTexts: ReadonlyMap<string, string | null>;
  /** How git is set up to read and clean messages. */
  readonly cleaning: CleanupOptions;
}

/**
 * A commit whose message breaks the convention by what the command line tells of it. What comes from an editor, and
 * what only the values of unknown parts decide, is left to the commit-msg hook.
 */
export async function judgeCommitMessage(
  intent: MessageIntent,
  { policy, judgeMessage }: Convention,
  surroundings: MessageSurroundings,
): Promise<readonly Finding[]> {
  if (policy.rules['commit-message'] === 'off') {
    return [];
  }
  const possible = readMessages(intent, surroundings).map((raw) =>
    cleanMessage(raw, { ...surroundings.cleaning, ...cleanupOf(intent) }),
  );
  const [message = ''] = possible;
  if (message.trim() === '') {
    return [];
  }
  const { problems, corrected } = await judgeMessage(message);
  const [header = ''] = message.split('\n');
  const reason = problems.length === 0 ? '' : `: ${problems.join('; ')}`;
  const isWhole = possible.length === 1;
  return findings(
    'commit-message',
    policy,
    (await isAnyValid(possible, judgeMessage))
      ? null
      : {
          message: `The commit message "${header}" breaks the Conventional Commits convention${reason}.`,
          ...(corrected !== null && isWhole
            ? { suggestion: suggest(intent, corrected), correction: correction(message, corrected) }
            : await withoutCorrection(intent, isWhole ? message : '', judgeMessage)),
        },
  );
}

async function isAnyValid(messages: readonly string[], judgeMessage: Convention['judgeMessage']): Promise<boolean> {
  for (const message of messages) {
    if ((await judgeMessage(message)).valid) {
      return true;
    }
  }
  return false;
}

function cleanupOf({ cleanup }: MessageIntent): CleanupOptions {
  const mode = (['strip', 'whitespace', 'verbatim', 'scissors'] as const).find((name) => name === textOf(cleanup));
  return mode === undefined ? {} : { cleanup: mode };
}

/**
 * Nobody else can say the type, or what the change does: the rest is there to be pasted around it. A merge gets the message
 * that git writes.
 */
async function withoutCorrection(
  intent: MessageIntent,
  message: string,
  judgeMessage: Convention['judgeMessage'],
): Promise<Pick<Objection, 'suggestion' | 'correction'>> {
  const { around } = intent;
  if (around?.subcommand === 'merge') {
    return { suggestion: ['git', 'merge', '--no-edit', ...around.before, ...around.after].join(' ') };
  }
  if (around === null) {
    return { suggestion: 'git commit   # and write TYPE: what the change does' };
  }
  const [header = '', ...rest] = message.split('\n');
  const withHeader = (text: string) => [text, ...rest].join('\n');
  const problemsOf = async (text: string) => (await judgeMessage(withHeader(text))).problems.length;
  const proposed = (text: string, means: string) => ({
    suggestion: `${suggest(intent, withHeader(text))}   # with ${means}`,
    correction: correction(header, text),
  });
  const [type] = /^\w+(?:\([^()]*\))?!?(?=:)/.exec(header) ?? [];
  if (type !== undefined && (await problemsOf(`${type}: subject`)) === 0) {
    return proposed(`${type}: SUBJECT`, 'what the change does for SUBJECT');
  }
  const typed = type === undefined ? `TYPE: ${header}` : header.replace(/^\w+/, 'TYPE');
  const lacksOnlyType = header !== '' && (await problemsOf(typed)) <= (await problemsOf('TYPE: subject'));
  return lacksOnlyType
    ? proposed(typed, 'feat, fix, docs, … for TYPE')
    : proposed('TYPE: SUBJECT', 'feat, fix, docs, … for TYPE, what the change does for SUBJECT');
}

function correction(given: string, better: string): Correction {
  const headerOf = (message: string) => message.split('\n', 1)[0] ?? '';
  return { given: headerOf(given), better: headerOf(better) };
}

function suggest(intent: MessageIntent, message: string): string {
  const [header = '', ...rest] = message.split('\n');
  const body = rest.join('\n').trim();
  const said = ['-m', quoteWord(header), ...(body === '' ? [] : ['-m', quoteWord(body)])];
  const { subcommand, before, after } = intent.around ?? { subcommand: 'commit', before: [], after: [] };
  return ['git', subcommand, ...before, ...said, ...after].join(' ');
}

/** The message; several that it may be, where a part is not known; none where too little of it is. */
export function readMessages(
  { message }: Pick<MessageIntent, 'message'>,
  { cwd, input, writtenTexts }: Omit<MessageSurroundings, 'cleaning'>,
): readonly (string | Uint8Array)[] {
  switch (message.kind) {
    case 'text':
      return possibleMessages(message.paragraphs);
    case 'file': {
      const path = textOf(message.path);
      if (path === '-' || path === '/dev/stdin') {
        return input === null ? [] : messagesIn(input);
      }
      if (path === null || cwd === null) {
        return [];
      }
      const absolute = resolve(cwd, path);
      const written = writtenTexts.get(absolute);
      return written === undefined ? readBytes(absolute) : written === null ? [] : [written];
    }
    case 'elsewhere':
      return [];
  }
}

/** Where only the beginning is known, that has the header. */
function messagesIn(input: Input): readonly (string | Uint8Array)[] {
  switch (input.kind) {
    case 'text':
      return [input.text];
    case 'file':
      return readBytes(input.path);
    case 'unknown':
      return possibleMessages([begun(input.begins ?? '', input.reason)]);
  }
}

/** A descriptor is this process's own, not git's; reading that, or a named pipe, may wait for ever. */
function readBytes(path: string): readonly Uint8Array[] {
  if (isDevicePath(path) || !isRegularFile(path)) {
    return [];
  }
  try {
    return [readFileSync(path)];
  } catch {
    return [];
  }
}
