import { withConstants } from './source-constants.ts';

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

/** Literals with one name behind them: `path.join('.git', 'hooks', name)`. */
const openJoins = new RegExp(
  String.raw`(?<![\w$.])${library}(?:join|resolve)\s*\(\s*(${literal}(?:\s*,\s*${literal})*)\s*,\s*([A-Za-z_$][\w$.]*)\s*,?\s*\)`,
  'g',
);

/** Without such a word no path of a program is of interest, however it is put together. */
const matters = /git|hook|husky|oxide-guard|claude|codex|cursor|gemini|factory|opencode|qwen|grok/i;

/** A path may be made of others that have names; so often at most. */
const rounds = 3;

/**
 * The source of a program with paths written as one literal that it puts together from several:
 * `path.join('.git', 'hooks')`, `Path('.git') / 'hooks'`, also by names that it gives to them. Positions change.
 *
 * @param hasComments whether `#` begins a comment (Python)
 */
export function withPathsJoined(source: string, hasComments: boolean): string {
  let written = source;
  if (!matters.test(source)) {
    return source;
  }
  for (let round = 0; round < rounds; round += 1) {
    const before = written;
    written = withConstants(
      written
        .replace(joins, (_, parts: string) => joined(parts))
        .replace(quotients, (_, parts: string, others: string) => `Path(${joined(parts + others)})`),
      hasComments,
    );
    if (written === before) {
      break;
    }
  }
  return written.replace(openJoins, (_, parts: string, name: string) => {
    const directory = joined(parts).slice(1, -1);
    return hasComments ? `f'${directory}/{${name}}'` : `\`${directory}/\${${name}}\``;
  });
}

function joined(literals: string): string {
  const parts = Array.from(literals.matchAll(new RegExp(literal, 'g')), ([text]) => text.slice(1, -1));
  return `'${parts.join('/')}'`;
}
