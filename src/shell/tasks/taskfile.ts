import { quoteWord } from '../../quote.ts';
import { readRunnerWords } from './runner-words.ts';
import { inDirectory } from './task-directory.ts';

/** Task's manual, "Command Line Reference" */
const valued =
  /^(?:-[dtCoI]|--(?:dir|taskfile|concurrency|output|interval|output-group-begin|output-group-end|sort|timeout|expiry|completion))$/;
const shows =
  /^(?:-[a-zA-Z]*[lanhi]|--(?:list|list-all|summary|dry|status|json|init|version|help|completion|clear-cache|download))$/;

/** What is asked of a Taskfile. */
export interface TaskfileCall {
  /** `--taskfile`, `--dir`: relative to the directory of the call. */
  readonly file: string | null;
  readonly directory: string | null;
  /** The commands of the tasks, those that they need first before them; null: nothing runs. */
  readonly script: (text: string) => string | null;
}

/**
 * `task [OPTION…] [TASK…] [NAME=VALUE…] [-- ARGUMENT…]`
 *
 * @param words what follows the program's name; '' for a word that is not known
 */
export function readTaskfileCall(words: readonly string[]): TaskfileCall {
  const { values, operands, rest, onlyShows } = readRunnerWords(words, valued, shows);
  const given = operands.filter((word) => /^\w+=/.test(word)).map((word) => word.split(/=([\s\S]*)/, 2));
  const named = operands.filter((word) => !/^\w+=/.test(word));
  return {
    file: values.get('-t') ?? values.get('--taskfile') ?? null,
    directory: values.get('-d') ?? values.get('--dir') ?? null,
    script: (text) => {
      const variables = new Map(variablesIn(text));
      for (const [name = '', value = ''] of given) {
        variables.set(name, value);
      }
      variables.set('CLI_ARGS', rest.map(quoteWord).join(' '));
      const seen = new Set<string>();
      const scripts = (named.length === 0 ? ['default'] : named).map((task) => scriptOf(text, task, seen));
      const known = scripts.filter((script) => script !== null);
      return onlyShows || known.length === 0 ? null : withValues(known.join('\n'), variables);
    },
  };
}

/** `vars:` with values that are written out, of the file and of its tasks. */
function variablesIn(text: string): readonly (readonly [string, string])[] {
  const blocks = text.matchAll(/^( *)vars:[ \t]*\n((?:\1 +[^\n]*(?:\n|$))*)/gm);
  const inline = Array.from(text.matchAll(/^ *vars:[ \t]*\{([^}\n]*)\}[ \t]*$/gm), ([, body = '']) =>
    body.replace(/(^|,)\s*/g, '\n '),
  );
  return [...Array.from(blocks, ([, , body = '']) => body), ...inline].flatMap((body) =>
    Array.from(
      body.matchAll(/^\s+(\w+):[ \t]*(?:'([^']*)'|"([^"]*)"|([^\s{'"][^\n]*?))[ \t]*$/gm),
      ([, name = '', single, double, bare = '']) => [name, single ?? double ?? bare] as const,
    ),
  );
}

/** `{{.NAME}}`, also with a default; other templates stay as they are. */
function withValues(script: string, variables: ReadonlyMap<string, string>): string {
  return script
    .replace(/\{\{-?\s*\.(\w+)\s*-?\}\}/g, (whole, name: string) => variables.get(name) ?? whole)
    .replace(
      /\{\{-?\s*(?:\.(\w+)\s*\|\s*default\s+["']([^"']*)["']|default\s+["']([^"']*)["']\s+\.(\w+))\s*-?\}\}/g,
      (_, name: string, value: string, other: string, otherName: string) =>
        variables.get(name ?? otherName) ?? value ?? other,
    );
}

/** `NAME: command`, or the lines of `cmds:` below it, by their indentation; null: there is no such task. */
function scriptOf(text: string, task: string, seen: Set<string>): string | null {
  const name = task.split(':').at(-1) ?? task;
  const escapedName = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const header = new RegExp(`^( +)["']?${escapedName}["']?:[ \\t]*(.*)\\n?`, 'm').exec(text);
  if (header === null || seen.has(name)) {
    return null;
  }
  seen.add(name);
  const [whole, indentation = '', short = ''] = header;
  const rest = text.slice(header.index + whole.length).split('\n');
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith(`${indentation} `));
  const body = end < 0 ? rest : rest.slice(0, end);
  const needed = neededBy(body.join('\n')).map((other) => scriptOf(text, other, seen) ?? '');
  const commands = [short, ...body].flatMap((line) => {
    const other = /^\s*-?\s*task:\s*["']?([\w:.-]+)/.exec(line)?.[1];
    return other === undefined ? commandsIn(line) : [scriptOf(text, other, seen) ?? ''];
  });
  const directory = /^ *dir:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#][^\n#]*?))[ \t]*(?:#.*)?$/m.exec(body.join('\n'));
  return [
    ...needed,
    inDirectory(
      commands.join('\n'),
      directory?.slice(1).find((one) => one !== undefined),
    ),
  ].join('\n');
}

/** `deps: [a, b]`, or a list below it. */
function neededBy(body: string): readonly string[] {
  const [, inline = '', list = ''] = /^ *deps:[ \t]*(?:\[([^\]]*)\]|\n((?: *- [^\n]*(?:\n|$))*))/m.exec(body) ?? [];
  return Array.from(
    `${inline},${list}`.matchAll(/(?:^|[,\n])\s*(?:-\s*)?(?:task:\s*)?["']?([\w:.-]+)/g),
    ([, name = '']) => name,
  );
}

const described =
  /^\s*(?:#|\w+:\s*$|(?:deps|desc|summary|dir|vars|sources|generates|silent|env|preconditions|status|platforms)\b)/;

function commandsIn(line: string): readonly string[] {
  if (described.test(line)) {
    return [];
  }
  const command = line.replace(/^\s*-?\s*(?:(?:cmds?|defer):\s*)?\|?\s*/, '');
  const several = /^\[(.*)\]$/.exec(command)?.[1]?.split(/,\s*/) ?? [command];
  return several.map((one) => one.replace(/^(["'])(.*)\1$/, '$2'));
}
