import { singleQuoted } from '../../quote.ts';

/** Formats as the `printf` builtin does, for the conversions whose result is sure; null for others. */
export function formatPrintf(args: readonly string[]): string | null {
  const hasSeparator = args[0] === '--';
  const [format, ...values] = hasSeparator ? args.slice(1) : args;
  if (format === undefined || (format.startsWith('-') && !hasSeparator)) {
    return null;
  }
  let text = '';
  let next = 0;
  do {
    const before = next;
    const part = formatOnce(format, () => values[next++] ?? null);
    if (part === null) {
      return null;
    }
    text += part;
    if (next === before) {
      break;
    }
  } while (next < values.length && text.length < 1_000_000);
  return text;
}

function formatOnce(format: string, take: () => string | null): string | null {
  let failed = false;
  let result = '';
  let position = 0;
  for (const match of format.matchAll(/%%|%([-0 +#]*)(\d*)(?:\.(\d+))?(?:([a-zA-Z])|\(([^)]*)\)T|)/g)) {
    result += decodeEscapes(format.slice(position, match.index), 'format');
    position = match.index + match[0].length;
    const [whole, flags = '', width = '', precision, conversion, time] = match;
    const value = whole === '%%' ? '' : take();
    const converted = time === undefined ? convert(conversion ?? '', value, precision) : timeText(time);
    const text = whole === '%%' ? '%' : converted;
    failed ||= text === null;
    result += pad(text ?? '', flags, Number(width));
  }
  return failed ? null : result + decodeEscapes(format.slice(position), 'format');
}

/** `%(format)T`: strftime(3), whose text is sure where it asks for no part of a time. */
function timeText(format: string): string | null {
  return format.includes('%') || format === '' ? null : format;
}

function convert(conversion: string, value: string | null, precision: string | undefined): string | null {
  switch (conversion) {
    case 's':
      return (value ?? '').slice(0, precision === undefined ? undefined : Number(precision));
    case 'b':
      return decodeEscapes(value ?? '', 'argument');
    case 'q':
      return /^[\w./:=@%+-]+$/.test(value ?? '') ? value : singleQuoted(value ?? '');
    case 'c':
      return (value ?? '').slice(0, 1);
    case 'd':
    case 'i':
      return /^-?\d{1,15}$/.test(value ?? '0') ? String(Number(value ?? 0)) : null;
    case 'x':
    case 'o':
      return /^\d{1,15}$/.test(value ?? '0') ? Number(value ?? 0).toString(conversion === 'x' ? 16 : 8) : null;
    default:
      return null;
  }
}

function pad(text: string, flags: string, width: number): string {
  const bounded = Math.min(width, 10_000);
  return flags.includes('-') ? text.padEnd(bounded) : text.padStart(bounded, flags.includes('0') ? '0' : ' ');
}

const named: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Who reads the escapes: `echo -e` knows `\\0nnn` alone, the format of `printf` `\\nnn`, and its `%b` both. */
export type EscapeReader = 'echo' | 'format' | 'argument';

const octals: Readonly<Record<EscapeReader, string>> = {
  echo: '0[0-7]{0,3}',
  format: '[0-7]{1,3}',
  argument: '0[0-7]{0,3}|[1-7][0-7]{0,2}',
};

function escapeExpression(reader: EscapeReader): RegExp {
  const byte = `\\\\(?:${octals[reader]}|x[0-9a-fA-F]{1,2})`;
  return new RegExp(`((?:${byte})+)|\\\\u([0-9a-fA-F]{1,4})|\\\\U([0-9a-fA-F]{1,8})|\\\\([\\s\\S])`, 'g');
}

/** Backslash escapes; bytes written one by one are put together as UTF-8. */
export function decodeEscapes(text: string, reader: EscapeReader): string {
  if (!text.includes('\\')) {
    return text;
  }
  return text.replace(
    escapeExpression(reader),
    (whole: string, bytes?: string, short?: string, long?: string, other?: string) => {
      if (bytes !== undefined) {
        return decodeBytes(bytes);
      }
      if (other !== undefined) {
        return named[other] ?? whole;
      }
      const code = Number.parseInt(short ?? long ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function decodeBytes(escapes: string): string {
  const codes = Array.from(escapes.matchAll(/\\(?:x([0-9a-fA-F]+)|([0-7]+))/g), ([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16),
  );
  return Buffer.from(codes).toString('utf8');
}
