import type { TaskProgram } from './task-program.ts';

/** A task of Invoke or Fabric: a function with a decorator. */
interface PythonTask {
  readonly name: string;
  /** The first is the context, through which it runs commands. */
  readonly parameters: readonly { readonly name: string; readonly preset: string | null }[];
  /** The tasks that its decorator names: before it, and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const decorated =
  /^@(?:\w+\.)?task\b[ \t]*(\((?:[^()]|\([^()]*\))*\))?[^\n]*\n(?:@[^\n]*\n)*(?:async )?def (\w+)\(([^)]*)\)/gm;

function tasksIn(text: string): readonly PythonTask[] {
  return Array.from(text.matchAll(decorated), ([, given = '', name = '', parameters = '']) => {
    const after = /\bpost\s*=\s*\[([^\]]*)\]/.exec(given)?.[1] ?? '';
    const before = given
      .replace(/\bpost\s*=\s*\[[^\]]*\]/, '')
      .replace(/\b(?!pre\b)\w+\s*=\s*(?:\{[^}]*\}|\[[^\]]*\]|[^,)]*)/g, '');
    return { name, parameters: parametersOf(parameters), before: namesIn(before), after: namesIn(after) };
  });
}

function namesIn(list: string): readonly string[] {
  return Array.from(list.replace(/\bpre\s*=/g, '').matchAll(/\b[a-z_]\w*/gi), ([name]) => name);
}

function parametersOf(text: string): PythonTask['parameters'] {
  return text.split(',').map((one) => {
    const [, name = '', preset] = /^\s*(\w+)[^=]*(?:=\s*(.*?)\s*)?$/s.exec(one) ?? [];
    return { name, preset: preset ?? null };
  });
}

/** The calls that run a task, each of them once. */
function callsOf(
  name: string,
  tasks: readonly PythonTask[],
  words: readonly string[],
  seen: Set<string>,
): readonly string[] {
  const task = tasks.find((one) => one.name === name);
  if (task === undefined || seen.has(name)) {
    return [];
  }
  seen.add(name);
  const others = (names: readonly string[]) => names.flatMap((other) => callsOf(other, tasks, [], seen));
  return [...others(task.before), `${name}(${givenTo(task, words)})`, ...others(task.after)];
}

/** `push --branch main`: the arguments of a task's call, in the order of its parameters. */
function givenTo({ parameters }: PythonTask, words: readonly string[]): string {
  const values = parameters.slice(1).map(({ name, preset }) => {
    const option = `--${name.replaceAll('_', '-')}`;
    const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
    const attached = words[at]?.slice(option.length + 1) ?? '';
    const value = attached === '' ? (words[at + 1] ?? '') : attached;
    return at < 0 || value === '' || value.startsWith('-') ? (preset ?? `${name}_given`) : JSON.stringify(value);
  });
  return ['None', ...values].join(', ');
}

/** The program in Python that would do the same: the functions, and calls of those that it comes to. */
export const invokeProgram: TaskProgram = (text, names, words) => {
  const tasks = tasksIn(text);
  const seen = new Set<string>();
  const calls = names.flatMap((written) => {
    const task = tasks.find(({ name }) => name === written.replaceAll('-', '_'));
    return task === undefined ? [] : callsOf(task.name, tasks, words, seen);
  });
  if (calls.length === 0) {
    return null;
  }
  const contexts = new Set(tasks.map(({ parameters: [context] }) => context?.name ?? 'c'));
  const source = withDirectories(text, [...contexts].join('|'))
    .replace(/^@(?:\w+\.)?task\b[ \t]*(?:\((?:[^()]|\([^()]*\))*\))?[^\n]*\n/gm, '')
    .replace(new RegExp(`(?<![\\w.])(?:${[...contexts].join('|')})\\.(?:run|local|sudo)\\(`, 'g'), 'os.system(');
  return ['python3', '-c', `${source}\n${calls.join('\n')}\n`];
};

/** `with c.cd("src"):` puts `cd src && ` before each command in its block (Invoke's manual). */
function withDirectories(text: string, contexts: string): string {
  const block = new RegExp(
    `^([ \\t]*)with[ \\t]+(?:${contexts})\\.cd\\(\\s*f?(["'])([^"'\\\\\\n]*)\\2\\s*\\)[ \\t]*:[^\\n]*\\n((?:\\1[ \\t]+[^\\n]*(?:\\n|$)|[ \\t]*\\n)*)`,
    'gm',
  );
  const command = new RegExp(`((?<![\\w.])(?:${contexts})\\.(?:run|local|sudo)\\(\\s*[rf]*(?:"(?!"")|'(?!'')))`, 'g');
  return text.replace(block, (whole, _indent: string, _quote: string, directory: string, body: string) => {
    const inside = withDirectories(body, contexts).replace(command, (call) => `${call}cd ${directory} && `);
    return whole.slice(0, whole.length - body.length) + inside;
  });
}
