/** A function of JavaScript with its parameters; what stands before tells whether its calls are followed. */
const scriptFunction =
  /(?<named>\b(?:const|let|var)\s+[\w$]+\s*=\s*(?:async\s*)?)?(?:\((?<list>[^()]*)\)(?:\s*:\s*[\w$<>[\],.| ]+?)?|(?<![\w$])(?<only>[\w$]+))\s*=>|\bfunction\b\s*\*?\s*(?<own>[\w$]*)\s*\((?<body>[^()]*)\)/g;
const pythonLambda = /\blambda\b([^:\n]*):/g;
/** `{ cwd, env = {} }`, `[first, second]`: parameters that are taken out of one, not what one is by default. */
const takenOut = /(?<==\s*)(?:\{[^{}]*\}|\[[^\][]*\])|(?:\{([^{}]*)\}|\[([^\][]*)\])/g;

/**
 * The names of parameters whose values are not followed: those of functions without a name, and those that are taken out
 * of an object.
 *
 * @param code strings and comments blanked
 */
export function otherParameters(code: string, isPython: boolean): ReadonlySet<string> {
  const lists = isPython
    ? Array.from(code.matchAll(pythonLambda), ([, list = '']) => list)
    : Array.from(code.matchAll(scriptFunction), ({ groups }) => {
        const { named, own, list, only, body } = groups ?? {};
        const all = list ?? only ?? body ?? '';
        const isNamed = named !== undefined || (own ?? '') !== '';
        const apart = Array.from(all.matchAll(takenOut), ([, object, items]) => object ?? items ?? '').join(',');
        return isNamed ? apart : `${all.replace(takenOut, '')},${apart}`;
      });
  return new Set(lists.flatMap((list) => list.split(',').flatMap((one) => nameIn(one) ?? [])));
}

/** `cwd`, `...rest`, `*words`, `cwd = '.'`, `cwd: place` */
function nameIn(parameter: string): string | undefined {
  return /^\s*(?:\.{3}|\*{1,2})?\s*(?:[\w$]+\s*:\s*)?([A-Za-z_$][\w$]*)/.exec(parameter)?.[1];
}
