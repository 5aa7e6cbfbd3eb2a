import { type CommandLineContext, readCommandLine } from '../../src/shell/command-line.ts';
import type { ScriptFiles } from '../../src/shell/script-files.ts';
import type { Step, Word } from '../../src/shell/simple-command.ts';

/** A world in memory: every directory that a file is in exists, and so does each named by a trailing slash. */
export function memoryFiles(texts: Readonly<Record<string, string>>): ScriptFiles {
  const paths = Object.keys(texts);
  const inside = (path: string) => paths.filter((name) => name.startsWith(path === '/' ? '/' : `${path}/`));
  return {
    readText: (path, limit) => {
      const text = texts[path];
      if (text === undefined) {
        return inside(path).length > 0
          ? { kind: 'unreadable', reason: `${path} is no regular file` }
          : { kind: 'missing' };
      }
      return text.length > limit
        ? { kind: 'unreadable', reason: `${path} is too large to read here`, text }
        : { kind: 'text', text };
    },
    realPath: (path) => path,
    entry: (path) =>
      texts[path] !== undefined
        ? { type: 'file', size: texts[path].length, modified: 0 }
        : inside(path).length > 0
          ? { type: 'directory', size: 4096, modified: 0 }
          : null,
    isDirectory: (path) => path === '/' || path === '/project' || inside(path).length > 0,
    list: (path) => {
      const names = inside(path).map((name) => name.slice(path === '/' ? 1 : path.length + 1).split('/')[0] ?? '');
      return names.length === 0 ? null : [...new Set(names)].filter((name) => name !== '');
    },
  };
}

export const home: CommandLineContext = {
  cwd: '/project',
  env: { HOME: '/home/ada', PATH: '/bin' },
  files: memoryFiles({}),
};

/** A word for people: known text as it is, unknown as `prefix⟨?⟩suffix`, with `*` where it may be several words. */
export function show(word: Word): string {
  return word.kind === 'known' ? word.value : `${word.prefix}⟨?⟩${word.suffix}${word.mayExpandToSeveral ? '*' : ''}`;
}

export function showStep(step: Step): string {
  const doubt = step.origin.path === null ? '' : 'maybe: ';
  if (step.kind === 'write') {
    return `${doubt}${step.append ? '>>' : '>'} ${show(step.path)}${step.content === null ? '' : ` ${JSON.stringify(step.content)}`}`;
  }
  const words = step.argv.map((word) => (/^$|[\s']/.test(show(word)) ? JSON.stringify(show(word)) : show(word)));
  const env = [...step.env].map(([name, value]) => (value === null ? `-${name} ` : `${name}=${show(value)} `));
  const cwd = step.cwd.kind === 'unknown' ? ' @?' : step.cwd.path === '/project' ? '' : ` @${step.cwd.path}`;
  const what = step.kind === 'command' ? '' : `unreadable ${step.part}: `;
  return doubt + what + env.join('') + words.join(' ') + cwd;
}

/** The steps of a command line as text, programs that only print left out. */
export function read(source: string, context: Partial<CommandLineContext> = {}): string[] {
  const { steps, truncated } = readCommandLine(source, { ...home, ...context });
  const quiet = new Set(['echo', 'printf', 'cat', 'sleep', 'curl', 'ls']);
  const shown = steps.filter((step) => {
    const [program] = step.kind === 'command' ? step.argv : [];
    return !(program?.kind === 'known' && quiet.has(program.value));
  });
  return [...shown.map(showStep), ...(truncated === null ? [] : [`truncated: ${truncated}`])];
}
