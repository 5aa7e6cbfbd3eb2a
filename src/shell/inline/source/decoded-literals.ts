/** What makes another text of a literal. */
interface Decoder {
  /** The first group is the quote, the second what is in it; a third one names the encoding. */
  readonly calls: RegExp;
  readonly decode: (text: string, encoding: string) => string;
}

const base64 = (text: string) => Buffer.from(text, 'base64').toString('utf8');
const hexadecimal = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex').toString('utf8');
const reversed = (text: string) => Array.from(text).reverse().join('');

/** In Python, JavaScript, Perl, Ruby and PHP: each is known by its name, whatever the language. */
const decoders: readonly Decoder[] = [
  {
    calls:
      /\b(?:(?:base64|binascii|Base64|MIME::Base64)\s*(?:\.|::)\s*)?(?:(?:standard_|urlsafe_)?b64decode|decodebytes|a2b_base64|atob|decode_base64|base64_decode|(?:strict_|urlsafe_)?decode64)\s*\(?\s*b?(["'`])([\w+/=\s-]*)\1\s*\)?(?:\s*\.\s*decode\s*\([^()]*\))?/g,
    decode: base64,
  },
  {
    calls:
      /\bBuffer\s*\.\s*from\s*\(\s*(["'`])([\w+/=\s-]*)\1\s*,\s*["'](base64|base64url|hex)["']\s*\)(?:\s*\.\s*toString\s*\([^()]*\))?/g,
    decode: (text, encoding) => (encoding === 'hex' ? hexadecimal(text) : base64(text)),
  },
  {
    calls:
      /\b(?:bytes(?:array)?\s*\.\s*fromhex|(?:binascii\s*\.\s*)?(?:unhexlify|a2b_hex)|hex2bin)\s*\(\s*b?(["'])([\da-fA-F\s]*)\1\s*\)(?:\s*\.\s*decode\s*\([^()]*\))?/g,
    decode: hexadecimal,
  },
  { calls: /(["'])((?:(?!\1)[^\\\n])*)\1\s*\[\s*::\s*-1\s*\]/g, decode: reversed },
  {
    calls:
      /(["'`])((?:(?!\1)[^\\\n])*)\1\s*\.\s*split\(\s*(?:""|'')\s*\)\s*\.\s*reverse\(\s*\)\s*\.\s*join\(\s*(?:""|'')\s*\)/g,
    decode: reversed,
  },
];

/** The source of a program with the texts that it decodes from literals: `atob('bHM=')` is `'ls'`. */
export function withDecodedLiterals(source: string): string {
  return decoders.reduce(
    (text, { calls, decode }) =>
      text.replace(calls, (whole: string, _quote: string, encoded: string, encoding: unknown) => {
        const decoded = decode(encoded, typeof encoding === 'string' ? encoding : '');
        return isText(decoded) ? quotedText(decoded) : whole;
      }),
    source,
  );
}

function isText(decoded: string): boolean {
  return decoded !== '' && !/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(decoded);
}

/**
 * A literal. In quotes that are not in the text, where there are such: it may be a program itself, which is looked through
 * as it stands.
 */
export function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return quote + escaped.replaceAll('\n', '\\n').replaceAll('\r', '\\r') + quote;
}
