const escaped: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The fields of a line of git-update-ref(1): separated by single spaces, in quotes where they have others. */
export function quotedFields(line: string): readonly string[] {
  const fields = line.matchAll(/(?:"((?:[^"\\]|\\.)*)"|([^ ]*))(?: |$)/gs);
  return [...fields].map(([, quoted, plain = '']) => (quoted === undefined ? plain : unquoted(quoted)));
}

/** git-config(1) "core.quotePath" tells how names are quoted. */
function unquoted(text: string): string {
  return text.replace(/((?:\\[0-7]{3})+)|\\(.)/gs, (_, octal: string | undefined, code: string) =>
    octal === undefined ? (escaped[code] ?? code) : Buffer.from(bytesOf(octal)).toString('utf8'),
  );
}

function bytesOf(octal: string): readonly number[] {
  return octal
    .split('\\')
    .slice(1)
    .map((digits) => Number.parseInt(digits, 8));
}
