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
    if (whole === '%%') {
      result += '%';
      continue;
    }
    const value = take();
    const size = Math.min(Number(width), 10_000);
    const text = time === undefined ? convert(conversion ?? '', value, flags, precision) : timeText(time);
    const number = isNumber(conversion) && text !== null ? withZeros(text, flags, size) : text;
    failed ||= number === null;
    result += flags.includes('-') ? (number ?? '').padEnd(size) : (number ?? '').padStart(size);
  }
  return failed ? null : result + decodeEscapes(format.slice(position), 'format');
}

/** `%(format)T`: strftime(3), whose text is sure where it asks for no part of a time. */
function timeText(format: string): string | null {
  return format.includes('%') || format === '' ? null : format;
}

function convert(
  conversion: string,
  value: string | null,
  flags: string,
  precision: string | undefined,
): string | null {
  switch (conversion) {
    case 's':
      return (value ?? '').slice(0, precision === undefined ? undefined : Number(precision));
    case 'b':
      return decodeEscapes(value ?? '', 'argument');
    case 'q':
      return quotedAgain(value ?? '');
    case 'c':
      return (value ?? '').slice(0, 1);
    default:
      return isNumber(conversion) && precision === undefined ? numberText(conversion, value || '0', flags) : null;
  }
}

const isNumber = (conversion: string | undefined) => /^[dixXo]$/.test(conversion ?? '');

/** A decimal number; one that begins with a zero is octal. */
function numberText(conversion: string, value: string, flags: string): string | null {
  if (!/^-?(?:0|[1-9]\d{0,14})$/.test(value) || flags.includes('#')) {
    return null;
  }
  const number = Number(value);
  if (/[di]/.test(conversion)) {
    const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
    return number < 0 ? String(number) : sign + String(number);
  }
  const text = number.toString(conversion === 'o' ? 8 : 16);
  return number < 0 ? null : conversion === 'X' ? text.toUpperCase() : text;
}

function withZeros(text: string, flags: string, width: number): string {
  const [, sign = '', digits = ''] = /^([-+ ]?)(.*)$/.exec(text) ?? [];
  return flags.includes('0') && !flags.includes('-') ? sign + digits.padStart(width - sign.length, '0') : text;
}

/** `%q`: as bash writes it, to be read again. */
function quotedAgain(text: string): string {
  if (text === '') {
    return "''";
  }
  return /[\x00-\x1f\x7f]/.test(text)
    ? `$'${text.replace(/[\\'\x00-\x1f\x7f]/g, escaped)}'`
    : text.replace(/[!"$&'()*,;<>?[\\\]^`{|} ]|^[#~]|(?<=[:=])~/g, '\\$&');
}

function escaped(character: string): string {
  const name = 'abtnvfr'['\x07\b\t\n\v\f\r'.indexOf(character)];
  const code = character.charCodeAt(0);
  return /[\\']/.test(character)
    ? `\\${character}`
    : name !== undefined
      ? `\\${name}`
      : code === 0x1b
        ? '\\E'
        : `\\${code.toString(8).padStart(3, '0')}`;
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
