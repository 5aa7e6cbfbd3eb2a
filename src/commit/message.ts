export type CleanupMode = 'default' | 'strip' | 'whitespace' | 'verbatim' | 'scissors';

export interface CleanupOptions {
  /** `commit.cleanup`. A `--cleanup` option of the git command is not known to its hooks. */
  readonly cleanup?: CleanupMode;
  /** `core.commentString` or `core.commentChar`; `auto`: the character that git chose, told by the template it wrote. */
  readonly commentString?: string;
  /** Did an editor show the message? Without (`-m`, `-F`), `default` and `scissors` mean `whitespace`. */
  readonly edited?: boolean;
  /** `i18n.commitEncoding`: how the bytes are to be read. An unknown name is read as UTF-8. */
  readonly encoding?: string;
}

/**
 * The message git will record from what COMMIT_EDITMSG holds when commit-msg runs (git-commit(1), `--cleanup`):
 * without comments, the diff of `commit -v`, trailing whitespace and superfluous blank lines, as the mode has it.
 * A byte order mark, which git would keep, is dropped as well: it is the editor's, and nobody can see it.
 *
 * Bytes that are invalid in the encoding become U+FFFD; nothing throws.
 */
export function cleanMessage(raw: Uint8Array | string, options: CleanupOptions = {}): string {
  const { cleanup = 'default', edited = true } = options;
  const text = decode(raw, options.encoding ?? 'utf-8').replace(/^\uFEFF/, '');
  const mode = edited ? cleanup : cleanup === 'default' || cleanup === 'scissors' ? 'whitespace' : cleanup;
  const comment = commentPrefix(text, options.commentString ?? '#');
  const kept = edited ? aboveScissors(text, comment, mode) : text;
  if (mode === 'verbatim') {
    return kept;
  }
  return stripSpace(kept, mode === 'whitespace' || mode === 'scissors' ? null : comment);
}

/**
 * How git is set up to clean messages, for {@link cleanMessage}.
 *
 * @param get the value of a variable of git's configuration, null when unset
 * @param environment of the hook: git sets GIT_EDITOR to `:` when no editor was started
 */
export function cleanupOptions(
  get: (key: string) => string | null,
  environment: Readonly<Record<string, string | undefined>>,
): CleanupOptions {
  const cleanup = get('commit.cleanup');
  const commentString = get('core.commentstring') ?? get('core.commentchar');
  const encoding = get('i18n.commitencoding');
  return {
    ...(isCleanupMode(cleanup) ? { cleanup } : {}),
    ...(commentString ? { commentString } : {}),
    ...(encoding ? { encoding } : {}),
    edited: environment.GIT_EDITOR !== ':',
  };
}

function isCleanupMode(value: string | null): value is CleanupMode {
  return value !== null && ['default', 'strip', 'whitespace', 'verbatim', 'scissors'].includes(value);
}

function decode(raw: Uint8Array | string, encoding: string): string {
  if (typeof raw === 'string') {
    return raw;
  }
  try {
    return new TextDecoder(encoding).decode(raw);
  } catch {
    return new TextDecoder().decode(raw);
  }
}

/** git's cut line, `wt-status.c`. */
const cutLine = '------------------------ >8 ------------------------';
/** The characters among which `core.commentChar=auto` chooses, `builtin/commit.c`. */
const automaticCharacters = '#;@!$%^&|:';

function commentPrefix(text: string, commentString: string): string {
  if (commentString !== 'auto') {
    return commentString;
  }
  const lines = text.split('\n');
  const cut = lines.find((line) => line.endsWith(` ${cutLine}`) && automaticCharacters.includes(line.charAt(0)));
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  const candidate = (cut ?? last).charAt(0);
  return candidate !== '' && automaticCharacters.includes(candidate) ? candidate : '#';
}

/**
 * Everything below the cut line goes in `scissors` mode, and in every mode with `commit -v`. The hook can't see `-v`;
 * there git's explanation, a comment, stands under the line, or the diff itself.
 */
function aboveScissors(text: string, comment: string, mode: CleanupMode): string {
  const pattern = `\n${comment} ${cutLine}\n`;
  const at = `\n${text}`.indexOf(pattern);
  if (at === -1) {
    return text;
  }
  const below = `\n${text}`.slice(at + pattern.length);
  const isGits = mode === 'scissors' || below.startsWith(comment) || below.startsWith('diff --git ');
  return isGits ? text.slice(0, at) : text;
}

/** `strbuf_stripspace`: what `git stripspace` does. */
function stripSpace(text: string, comment: string | null): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const stripped = withoutTrailingSpace(line);
    const isComment = comment !== null && line.startsWith(comment);
    const isSuperfluous = stripped === '' && (kept.length === 0 || kept.at(-1) === '');
    if (!isComment && !isSuperfluous) {
      kept.push(stripped);
    }
  }
  const message = kept.join('\n').replace(/\n$/, '');
  return message === '' ? '' : `${message}\n`;
}

function withoutTrailingSpace(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line.charAt(end - 1))) {
    end--;
  }
  return line.slice(0, end);
}
