import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CleanupOptions, cleanMessage } from '../../commit/message.ts';
import { isRegularFile } from '../../git/files.ts';
import { quoteWord } from '../../quote.ts';
import { isDevicePath } from '../../shell/device-path.ts';
import type { Input } from '../../shell/simple-command.ts';
import { type Finding, findings } from '../finding.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { CommitIntent } from '../intent.ts';
import type { Convention } from '../scene.ts';

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
 * A commit whose message is known from the command line and breaks the convention. What comes from an editor or can't
 * be known is left to the commit-msg hook.
 */
export async function judgeCommitMessage(
  intent: CommitIntent,
  { policy, judgeMessage }: Convention,
  surroundings: MessageSurroundings,
): Promise<readonly Finding[]> {
  if (policy.rules['commit-message'] === 'off') {
    return [];
  }
  const raw = readMessage(intent, surroundings);
  if (raw === null) {
    return [];
  }
  const message = cleanMessage(raw, { ...surroundings.cleaning, ...cleanupOf(intent) });
  if (message.trim() === '') {
    return [];
  }
  const { valid, problems, corrected } = await judgeMessage(message);
  const [header = ''] = message.split('\n');
  const reason = problems.length === 0 ? '' : `: ${problems.join('; ')}`;
  return findings(
    'commit-message',
    policy,
    valid
      ? null
      : {
          message: `The commit message "${header}" breaks the Conventional Commits convention${reason}.`,
          suggestion:
            corrected === null ? 'git commit   # and write TYPE: what the change does' : suggest(intent, corrected),
        },
  );
}

function cleanupOf({ cleanup }: CommitIntent): CleanupOptions {
  const mode = (['strip', 'whitespace', 'verbatim', 'scissors'] as const).find((name) => name === textOf(cleanup));
  return mode === undefined ? {} : { cleanup: mode };
}

function suggest(intent: CommitIntent, message: string): string {
  const [header = '', ...rest] = message.split('\n');
  const body = rest.join('\n').trim();
  const said = ['-m', quoteWord(header), ...(body === '' ? [] : ['-m', quoteWord(body)])];
  const { before, after } = intent.around ?? { before: [], after: [] };
  return ['git', 'commit', ...before, ...said, ...after].join(' ');
}

function readMessage(
  { message }: CommitIntent,
  { cwd, input, writtenTexts }: MessageSurroundings,
): string | Uint8Array | null {
  switch (message.kind) {
    case 'text':
      // Each -m is a paragraph: git-commit(1).
      return textsOf(message.paragraphs)?.join('\n\n') ?? null;
    case 'file': {
      const path = textOf(message.path);
      if (path === '-' || path === '/dev/stdin') {
        return input?.kind === 'text' ? input.text : input?.kind === 'file' ? readBytes(input.path) : null;
      }
      if (path === null || cwd === null) {
        return null;
      }
      const absolute = resolve(cwd, path);
      return writtenTexts.has(absolute) ? (writtenTexts.get(absolute) ?? null) : readBytes(absolute);
    }
    case 'elsewhere':
      return null;
  }
}

/** A descriptor is this process's own, not git's; reading that, or a named pipe, may wait for ever. */
function readBytes(path: string): Uint8Array | null {
  if (isDevicePath(path) || !isRegularFile(path)) {
    return null;
  }
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
