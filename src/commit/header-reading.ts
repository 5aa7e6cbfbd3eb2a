import { type Confidence, emojiType, guessType, readType } from './type-words.ts';

/** The one thing that is wrong with the form of a header, and where; columns count from 0. */
export interface Mistake {
  readonly message: string;
  readonly column: number;
  readonly length: number;
}

/** What a header that breaks the form was meant to be. */
export interface HeaderReading {
  readonly type: string | null;
  readonly scope: string | null;
  readonly breaking: boolean;
  readonly subject: string;
  readonly confidence: Confidence;
  /** Null when the form is right (an unknown or misspelt type is no mistake of form). */
  readonly mistake: Mistake | null;
  /** What was assumed, for a person to confirm. */
  readonly notes: readonly string[];
}

/**
 * Reads a header as its author meant it: `type(scope)!: subject` with whatever stands in the way.
 *
 * @param types of the convention
 */
export function readHeader(header: string, types: readonly string[]): HeaderReading {
  const lead = /^[\s\u200b-\u200f\u2060\ufeff]*/.exec(header)?.[0].length ?? 0;
  const emoji = leadingEmoji.exec(header.slice(lead))?.[0] ?? '';
  const start = lead + emoji.length;
  // A gap of a thousand spaces is one; the patterns below would try every way to divide it.
  const text = header
    .slice(start)
    .trimEnd()
    .replace(/\s{20,}/g, ' ');
  const reading =
    readForm(text, types) ?? readBareType(text, types) ?? readPrefix(text, types) ?? readFreeText(text, types);
  const shifted = reading.mistake && { ...reading.mistake, column: reading.mistake.column + start };
  if (emoji === '') {
    return { ...reading, mistake: lead === 0 ? shifted : spaceFirst(lead) };
  }
  const hinted = reading.type === null || reading.confidence === 'guess' ? emojiType(emoji, types) : null;
  return {
    ...reading,
    type: hinted ?? reading.type,
    mistake: { message: 'an emoji stands before the type', column: lead, length: emoji.trimEnd().length },
    notes: [
      `the emoji ${[...emoji.trim().slice(0, 20)].slice(0, 8).join('')} is dropped`,
      ...(hinted === null ? reading.notes : [`'${hinted}' is what the emoji stands for`]),
    ],
  };
}

const leadingEmoji =
  /^(?:(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|:[a-z0-9_+-]+:)\s*)+/u;

function spaceFirst(length: number): Mistake {
  return { message: 'a space stands before the type', column: 0, length };
}

const form =
  /^(?<open>\[?)(?<type>[\w-]+)(?<close>\]?)(?<gap>\s*)(?<early>!?)(?:(?<gap2>\s*)[(（](?<scope>[^()（）]*)[)）])?(?<gap3>\s*)(?<mark>!*)(?<gap4>\s*)(?<colon>[:：])(?<space>\s*)(?<subject>.*)$/u;

/** `type(scope)!: subject`, and the ways to misspell it. */
function readForm(text: string, types: readonly string[]): HeaderReading | null {
  const parts = form.exec(text)?.groups;
  const word = parts?.type ?? '';
  const read = readType(word, types);
  if (parts === undefined || read === null) {
    return null;
  }
  const subject = (parts.subject ?? '').trim();
  const scope = parts.scope?.trim() || read.scope || null;
  const colon = text.length - (parts.subject ?? '').length - (parts.space ?? '').length - 1;
  return {
    type: read.type,
    scope,
    breaking: parts.early === '!' || (parts.mark ?? '') !== '',
    subject,
    confidence: read.confidence,
    mistake: mistakeOfForm(parts, colon),
    notes: word.toLowerCase() === read.type ? [] : [`'${word}' is read as '${read.type}'`],
  };
}

function mistakeOfForm(parts: Readonly<Record<string, string | undefined>>, colon: number): Mistake | null {
  const gap = parts.gap4 || parts.gap3 || parts.gap2 || parts.gap;
  const typeEnd = (parts.open ?? '').length + (parts.type ?? '').length + (parts.close ?? '').length;
  if (parts.colon === '：') {
    return { message: 'the colon is a full-width one (：)', column: colon, length: 1 };
  }
  if (parts.open !== '' || parts.close !== '') {
    return { message: 'the type stands in brackets', column: 0, length: typeEnd };
  }
  if (parts.early === '!' && parts.scope !== undefined) {
    return { message: "the '!' stands before the scope: it belongs before the colon", column: typeEnd, length: 1 };
  }
  if (gap) {
    const before = parts.gap4 || parts.gap3 || parts.scope === undefined;
    return before
      ? { message: 'a space stands before the colon', column: colon - gap.length, length: gap.length }
      : { message: 'a space stands between type and scope', column: typeEnd, length: gap.length };
  }
  if ((parts.mark ?? '').length > 1) {
    return { message: "one '!' is enough", column: colon - 1, length: 1 };
  }
  if ((parts.subject ?? '').trim() === '') {
    return { message: 'nothing follows the colon: the subject is missing', column: colon + 1, length: 0 };
  }
  return parts.space === '' ? { message: 'no space follows the colon', column: colon + 1, length: 0 } : null;
}

/** `fix the login`, `docs - readme`, `[feat] x`, `Fixed bug`: the type is there, the colon is not. */
function readBareType(text: string, types: readonly string[]): HeaderReading | null {
  const match = /^(\[?)(\w+)(\]?)(?:\(([^()]*)\))?(!?)\s*(?:[-–—]\s+|\s)(.*\S)\s*$/u.exec(text);
  const [, open = '', word = '', close = '', scope = '', mark = '', rest = ''] = match ?? [];
  const read = readType(word, types);
  const isWord = open === '[' || scope !== '' || types.includes(word.toLowerCase()) || /^fix(?:e[ds]|ing)$/i.test(word);
  if (match === null || read === null || !isWord || /^[^\s]*[:：]\s/.test(text)) {
    return null;
  }
  const isVerb = open === '' && scope === '' && ['build', 'test', 'style', 'revert'].includes(read.type);
  const keepsVerb = /^#\d/.test(rest);
  const end = open.length + word.length + close.length + (scope === '' ? 0 : scope.length + 2) + mark.length;
  return {
    type: read.type,
    scope: scope.trim() || null,
    breaking: mark === '!',
    subject: keepsVerb ? `${read.type} ${rest}` : rest,
    confidence: isVerb ? 'guess' : 'exact',
    mistake: { message: `no colon follows the type '${read.type}'`, column: end, length: 0 },
    notes: isVerb ? [`'${word}' is taken for the type`] : [],
  };
}

/** `src/foo: x`, `parser: x`: the name of a place where the type belongs. */
function readPrefix(text: string, types: readonly string[]): HeaderReading | null {
  const match = /^([^\s:：(),]+(?:, ?[^\s:：(),]+)*)(?:\(([^()]*)\))?(!?)\s*[:：]\s*(\S.*)$/u.exec(text);
  const [, place = '', , mark = '', subject = ''] = match ?? [];
  if (match === null || !/[\p{L}\p{N}]/u.test(place) || place.length > 50) {
    return null;
  }
  const verb = guessType(place, types);
  const type = guessType(subject, types);
  if (verb !== null && /^[a-z]+$/i.test(place)) {
    return { ...readFreeText(`${place} ${subject}`, types), mistake: notAType(place) };
  }
  return {
    type,
    scope: place,
    breaking: mark === '!',
    subject,
    confidence: 'guess',
    mistake: notAType(place),
    notes: type === null ? [] : [`the type '${type}' is a guess from the words`, `'${place}' is read as the scope`],
  };
}

function notAType(place: string): Mistake {
  return { message: `'${place}' stands where the type belongs`, column: 0, length: place.length };
}

function readFreeText(text: string, types: readonly string[]): HeaderReading {
  const type = guessType(text, types);
  return {
    type,
    scope: null,
    breaking: false,
    subject: text,
    confidence: 'guess',
    mistake: text.startsWith(':')
      ? { message: 'nothing stands before the colon: the type is missing', column: 0, length: 0 }
      : { message: 'the type is missing', column: 0, length: 0 },
    notes: type === null ? [] : [`the type '${type}' is a guess from the words`],
  };
}
