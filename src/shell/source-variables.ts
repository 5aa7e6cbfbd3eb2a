import type { SourceArgument } from './source-argument.ts';
import { readArgument } from './source-arguments.ts';
import type { SourceCode } from './source-code.ts';
import { endOfValue } from './source-loops.ts';

/** A text up to the end of its statement, taken apart or not. */
const literalLine =
  /^[ \t]*(?:[rRbBfF]{0,2}"{3}[\s\S]*?"{3}|[rRbBfF]{0,2}'{3}[\s\S]*?'{3}|`(?:[^`\\]|\\[\s\S])*`|(["'])(?:(?!\1)[^\\\n]|\\.)*\1|[fr]?"[^"\n]*"|[fr]?'[^'\n]*')(?:\.(?:strip|trim)\(\))?(?:\.(?:split|splitlines)\([^()\n]*\))?(?=[ \t]*(?:;|\n|$|#|\/\/))/;

/** What a variable holds that is given a literal once, and is never changed; else null. */
export function heldBy(given: string, { source, code, interpolation }: SourceCode): SourceArgument | null {
  if (!/^[\w$]+$/.test(given)) {
    return null;
  }
  const [only, ...others] = changesOf(given, code);
  if (only === undefined || others.length > 0 || !/(?<!\+)=$/.test(only[0])) {
    return null;
  }
  const from = only.index + only[0].length;
  const list = /^[ \t]*[[(]/.exec(source.slice(from));
  if (list !== null) {
    const end = endOfValue(code, from + list[0].length - 1);
    const isWhole = /^[ \t]*(?:;|\n|$|#|\/\/)/.test(source.slice(end));
    return isWhole ? readArgument(source.slice(from, end), interpolation) : null;
  }
  const line = literalLine.exec(source.slice(from));
  return line === null ? null : readArgument(line[0], interpolation);
}

/** Where a variable is given a value or changed. */
export function changesOf(given: string, code: string): readonly RegExpExecArray[] {
  const name = given.replaceAll('$', '\\$');
  const change = '=(?!=|>)|\\+=|\\[|\\.\\s*(?:append|extend|insert|push|unshift|splice)\\b';
  return [...code.matchAll(new RegExp(`(?<![\\w$.])${name}\\s*(?:${change})`, 'g'))];
}
