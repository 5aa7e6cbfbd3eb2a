import type { TaskProgram } from './task-program.ts';

/** A task of a Rakefile. */
interface RakeTask {
  readonly name: string;
  /** Its header and its block, as they stand there. */
  readonly text: string;
  readonly needs: readonly string[];
  /** What it calls the words that it is given: `task :push, [:branch]`. */
  readonly parameters: readonly string[];
}

const header = /^(\s*)(?:multi)?task\b[ \t]*\(?[ \t]*(?::|["'])?([a-zA-Z_][\w-]*)(.*)$/;

/** The tasks, by the indentation of their blocks, and all that stands around them. */
function tasksIn(text: string): { readonly tasks: readonly RakeTask[]; readonly around: string } {
  const tasks: RakeTask[] = [];
  const around: string[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, indentation = '', name, rest = ''] = header.exec(line) ?? [];
    if (name === undefined) {
      around.push(line);
      continue;
    }
    const isBlock = /\bdo(?:\s*\|[^|]*\|)?\s*$|\{(?:\s*\|[^|]*\|)?\s*$/.test(rest);
    const ends = new RegExp(`^${indentation}(?:end\\b|\\})`);
    const length = isBlock ? lines.slice(at + 1).findIndex((next) => ends.test(next)) + 1 : 0;
    const block = lines.slice(at, at + 1 + length).join('\n');
    const [head = ''] = rest.split(/\bdo\b|\{/, 1);
    const invoked = block.matchAll(/\bRake::Task\[[:"']+([\w:]+)["']?\]\.(?:invoke|execute)/g);
    tasks.push({
      name,
      text: block,
      needs: [...neededBy(head), ...Array.from(invoked, ([, other = '']) => lastName(other))],
      parameters: Array.from(head.split('=>', 1)[0]?.matchAll(/[[,]\s*:(\w+)/g) ?? [], ([, one = '']) => one),
    });
    at += length;
  }
  return { tasks, around: around.join('\n') };
}

/** `=> [:a, "b"]`, `deploy: :a`, `deploy: %w[a b]` */
function neededBy(head: string): readonly string[] {
  const [, listed = ''] = /(?:=>|^["']?:(?!:))\s*(.*)$/s.exec(head) ?? [];
  return Array.from(listed.replace(/%[wi]/g, '').matchAll(/[\w:]+/g), ([name]) => lastName(name));
}

function lastName(name: string): string {
  return name.split(':').at(-1) ?? name;
}

/** The tasks that run, those that others need before them. */
function reached(names: readonly string[], tasks: readonly RakeTask[], seen = new Set<RakeTask>()): Set<RakeTask> {
  for (const task of tasks.filter(({ name }) => names.includes(name))) {
    if (!seen.has(task)) {
      const before = new Set([...seen, task]);
      for (const other of reached(task.needs, tasks, before)) {
        if (other !== task) {
          seen.add(other);
        }
      }
      seen.add(task);
    }
  }
  return seen;
}

/** The program in Ruby that rake would run: what stands around the tasks, and those that it comes to (rake's manual). */
export const rakeProgram: TaskProgram = (text, names) => {
  const { tasks, around } = tasksIn(text);
  const given = new Map(
    names.map((name) => [lastName(name.replace(/\[.*$/s, '')), /\[(.*)\]$/s.exec(name)?.[1] ?? '']),
  );
  const wanted = given.size === 0 ? ['default'] : [...given.keys()];
  const run = [...reached(wanted, tasks)];
  if (run.length === 0) {
    return null;
  }
  const blocks = run.map(({ name, text: block, parameters }) => {
    const values = given.get(name)?.split(/,\s*/) ?? [];
    return block.replace(/#\{\s*args(?:\[:(\w+)\]|\.(\w+))\s*\}/g, (whole, one: string, other: string) => {
      const value = values[parameters.indexOf(one ?? other)];
      return value === undefined || value === '' ? whole : value;
    });
  });
  const source = [around, ...blocks]
    .join('\n')
    .replace(/(?<![\w.:"'`])sh(?=\s*\(?\s*["'%])/g, 'system')
    // FileUtils, which rake has everywhere.
    .replace(
      /(?<![\w.:"'`])(?:FileUtils\s*\.\s*)?(?:cd|chdir)(?:\s*\(\s*|\s+)(["'][^"'\n]*["'])\s*\)?/g,
      'Dir.chdir($1)',
    );
  return ['ruby', '-e', source];
};
