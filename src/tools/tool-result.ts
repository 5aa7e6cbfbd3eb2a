/**
 * What a tool gives back. A failure is a value, never a throw: the model reads its text and tries another way.
 * `text` is for the model, `data` is the same as structure, for hooks, the terminal and `--output json`.
 */
export type ToolResult = ToolSuccess | ToolFailure;

export interface ToolSuccess {
  readonly ok: true;
  readonly text: string;
  readonly data: ToolData;
}

export interface ToolFailure {
  readonly ok: false;
  /** What happened, why, and the way out, in one text. */
  readonly text: string;
  readonly error: ToolError;
  readonly data: ToolData;
}

export interface ToolError {
  /** Stable kebab-case name of the failure, for hooks and tests. */
  readonly code: string;
  /** What happened and why. */
  readonly message: string;
  /** What to do instead. */
  readonly remedy: string | null;
  /** The file it is about, as an absolute path. */
  readonly path: string | null;
}

/** Structured results hold JSON values only. */
export type ToolData = Readonly<Record<string, unknown>>;

export function success(text: string, data: ToolData = {}): ToolSuccess {
  return { ok: true, text, data };
}

/**
 * @param code stable kebab-case name
 * @param message one or two sentences: what happened and why
 */
export function failure(
  code: string,
  message: string,
  about: { readonly remedy?: string; readonly path?: string; readonly data?: ToolData } = {},
): ToolFailure {
  const { remedy = null, path = null, data = {} } = about;
  return {
    ok: false,
    text: remedy === null ? message : `${message} ${remedy}`,
    error: { code, message, remedy, path },
    data,
  };
}

/** Characters of a result that reach the model: about 15,000 tokens. */
export const resultLimit = 60_000;

/**
 * Cuts a text that is too long for a model in its middle, where errors and summaries rarely are, and says so.
 *
 * @param limit in characters, without the notice
 */
export function fitText(text: string, limit = resultLimit): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= limit) {
    return { text, truncated: false };
  }
  const head = wholeCharacters(text.slice(0, Math.ceil(limit * 0.7)));
  const tail = text.slice(text.length - Math.floor(limit * 0.3)).replace(/^[\uDC00-\uDFFF]/, '');
  const dropped = text.length - head.length - tail.length;
  return {
    text: `${head}\n[… ${dropped} characters left out: the result has ${text.length}, the limit is ${limit}. Ask for a smaller part …]\n${tail}`,
    truncated: true,
  };
}

/** A cut through a surrogate pair would leave half a character. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
