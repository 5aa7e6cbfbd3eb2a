import { quoteWord } from '../../quote.ts';

/** What starts a program; a word between quotes or braces may have everything in it. */
const starts = /\b(eval\s+)?(exec|spawn|system)\s+((?:"(?:[^"\\]|\\.)*"|[^\n;\]{}]|\{[^{}]*\})+)/g;
/** `eval exec [split "git push"]`, `exec {*}[split "git push"]`: the words of a text. */
const split = /(?:\{\*\}|(?<=\beval\b[^\n;]{0,80}))\[\s*split\s+(?:"([^"[\]]*)"|\{([^{}]*)\})\s*\]/g;
const pipes = /\bopen\s+["{]\|\s*([^\n"}]+)/g;

/**
 * The commands that a script of Tcl or expect(1) starts: `exec sh -c {git push}`, `spawn git {*}$words`, `open "|git log"`.
 * Braces quote, and a variable is one word, whatever is in it.
 */
export function tclCommands(program: string): readonly string[] {
  const source = program.replace(split, '$1$2');
  const values = variablesOf(source);
  const started = Array.from(source.matchAll(starts), ([, again, how, command = '']) =>
    // Their words are put together and read once more.
    again !== undefined || how === 'system' ? words(inserted(command, values), new Map()) : words(command, values),
  );
  const piped = Array.from(source.matchAll(pipes), ([, command = '']) => words(inserted(command, values), new Map()));
  return [...started, ...piped, ...sentToShell(inserted(source, values))];
}

type Values = ReadonlyMap<string, string>;

/** `set mode --hard`: the variables that are set once, to a literal. */
function variablesOf(source: string): Values {
  const set =
    /(?<=^|[;\n{'])[ \t]*set[ \t]+(\w+)[ \t]+(?:"([^"$[\\]*)"|\{([^{}]*)\}|([^\s;"{}$[\]]+))(?=[ \t]*(?:[;\n}\]']|$))/g;
  const given = source.includes('$') ? [...source.matchAll(set)] : [];
  return new Map(
    given.flatMap(([, name = '', quoted, braced, word]) => {
      const changes = source.match(new RegExp(`\\b(?:set|incr|append|lappend|foreach)\\s+${name}\\s`, 'g'));
      return changes?.length === 1 ? [[name, quoted ?? braced ?? word ?? ''] as const] : [];
    }),
  );
}

/** The text with what variables hold in their places. */
const inserted = (text: string, values: Values): string =>
  text.replace(/(?:\{\*\})?\$(?:(\w+)|\{(\w+)\})/g, (use, plain?: string, braced?: string) => {
    return values.get(plain ?? braced ?? '') ?? use;
  });

const word = /"((?:[^"\\]|\\.)*)"|(\{\*\})?\$(?:(\w+)|\{(\w+)\})|\{([^{}]*)\}/g;

/** A command with its words as a shell writes them. */
function words(command: string, values: Values): string {
  const escaped = new Map(Array.from(values, ([name, value]) => [name, value.replace(/["$`\\]/g, '\\$&')]));
  return command.replace(
    word,
    (written, quoted?: string, spread = '', plain?: string, name?: string, braced?: string) => {
      const value = values.get(plain ?? name ?? '');
      if (quoted !== undefined || braced !== undefined) {
        return braced === undefined ? inserted(written, escaped) : quoteWord(braced);
      }
      if (value !== undefined) {
        return spread === '' ? quoteWord(value) : value;
      }
      return written.replace('{*}', quoteWord('*'));
    },
  );
}

/** expect(1) "send": what a shell reads that was spawned. */
function sentToShell(source: string): readonly string[] {
  const sent = /\bspawn\s+(?:\S*\/)?(?:ba|z|da|k)?sh\b/.test(source)
    ? source.matchAll(/\b(?:exp_)?send\s+(?:--\s+)?(?:"((?:[^"\\]|\\.)*)"|\{([^{}]*)\})/g)
    : [];
  return Array.from(sent, ([, text, braced = '']) =>
    (text ?? braced).replace(/\\[rn]/g, '\n').replace(/\\(["$\\[])/g, '$1'),
  );
}
