/** Calls that start nothing: they print, make texts and lists, or end the program. */
const harmless =
  /^(?:print|len|str|repr|list|tuple|sorted|isinstance|bool|int|String|Number|Boolean|Error|SystemExit|RuntimeError|ValueError|sys\.exit|process\.exit|console\.(?:log|info|warn|error|debug)|sys\.std(?:out|err)\.(?:write|flush)|process\.std(?:out|err)\.write|JSON\.stringify|shlex\.(?:join|quote)|(?:logging|logger|log)\.(?:debug|info|warning|warn|error)|(?:[\w$]+\.)?(?:join|format|append|push|upper|strip|trim))$/;

/** What stands before a bracket that is no call. */
const keyword = /^(?:if|elif|while|for|in|not|and|or|return|switch|catch|def|function|print|yield|await|assert)$/;

/**
 * Does a function do nothing but show what it is given, or make something of it?
 *
 * @param code of the function, texts and comments blanked
 * @param source the same as it is written
 */
export function onlyShows(code: string, source: string): boolean {
  const calls = Array.from(code.matchAll(/((?:[\w$]+\s*\.\s*)*[\w$]*)\s*\(/g), ([, called = '']) =>
    called.replace(/\s/g, ''),
  );
  // What is called, or run as a template, without a name.
  const isPlain = !/[\])?]\s*\.?\(|\bimport\b|\bnew\s+(?!Error\b)/.test(code) && !/[\w$)\]]`/.test(source);
  // First stands the function's own name.
  const own = /^\s*(?:async\s+)?(?:def|function)\b/.test(code) ? (calls.shift() ?? '') : '';
  return isPlain && calls.every((called) => called === '' || called === own || isHarmless(called));
}

const isHarmless = (called: string): boolean => keyword.test(called) || harmless.test(called);
