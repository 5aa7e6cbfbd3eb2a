const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
const library = String.raw`(?:[\w$]+\s*\.\s*|require\(\s*["'](?:node:)?path["']\s*\)\s*\.\s*)*`;
const joins = new RegExp(
  String.raw`(?<![\w$.])${library}(?:join|resolve)\s*\(\s*(${literal}(?:\s*,\s*${literal})+)\s*,?\s*\)`,
  'g',
);
const quotients = new RegExp(
  String.raw`\bPath\s*\(\s*(${literal}(?:\s*,\s*${literal})*)\s*\)((?:\s*/\s*${literal})*)`,
  'g',
);

/**
 * The source of a program with paths written as one literal that it puts together from several:
 * `path.join('.git', 'hooks')`, `Path('.git') / 'hooks'`. Positions change.
 */
export function withPathsJoined(source: string): string {
  return source
    .replace(joins, (_, parts: string) => joined(parts))
    .replace(quotients, (_, parts: string, others: string) => `Path(${joined(parts + others)})`);
}

function joined(literals: string): string {
  const parts = Array.from(literals.matchAll(new RegExp(literal, 'g')), ([text]) => text.slice(1, -1));
  return `'${parts.join('/')}'`;
}
