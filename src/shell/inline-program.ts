import { type Call, type Shell, through } from './call.ts';
import { unknownWord } from './parameter.ts';
import { either, type Outcome } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { readLiteral, type SourceLiteral } from './source-literal.ts';

/** How a language's programs start processes. */
export interface Language {
  readonly name: string;
  /** Options whose value is a program; bundles end with the letter. */
  readonly inline: RegExp;
  /** Options that take another value. */
  readonly valued: RegExp;
  /** Up to and with the opening parenthesis of a call that starts a process. */
  readonly calls: RegExp;
  /** Commands between quotes of their own, as in `` `git push` ``: the first group is the command. */
  readonly quoted: RegExp | null;
  readonly interpolation: RegExp;
  /** What a program that starts processes surely mentions. */
  readonly needs?: RegExp;
}

const never = /(?!)/;

const javascript: Omit<Language, 'name' | 'inline' | 'valued'> = {
  calls:
    /(?<![\w$]|(?<!\b(?:child_process|cp|childProcess|child|process|proc)|\))\.)(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync|execaCommand|execaCommandSync|\$\$?)\s*\(|\bBun\.spawn(?:Sync)?\s*\(|\bnew\s+Deno\.Command\s*\(|\bDeno\.run\s*\(\s*\{[^}]*?\bcmd\s*:/g,
  quoted: /(?<![\w$])(?:Bun\.)?\$`((?:[^`\\]|\\[\s\S])*)`/g,
  interpolation: /\$\{/,
};

/** Languages whose interpreters take a program from the command line, a row each. */
export const languages: ReadonlyMap<RegExp, Language> = new Map<RegExp, Language>([
  [
    /^(?:python|pypy)[0-9.]*$/,
    {
      name: 'python',
      needs: /subprocess|\bos\b|\bpty\b|commands|asyncio|popen|__import__|exec/i,
      inline: /^-[a-zA-Z]*c(.*)$/s,
      valued: /^-[WX]$/,
      calls:
        /(?<![\w.]|\bdef )(?:os\s*\.\s*|subprocess\s*\.\s*|sp\s*\.\s*|commands\s*\.\s*|pty\s*\.\s*|asyncio\s*\.\s*)?(?:system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|exec[lv]p?e?|spawn[lv]?p?e?|posix_spawnp?|create_subprocess_(?:exec|shell))\s*\((?:\s*shlex\.split\()?|__import__\([^)]*\)\s*\.\s*\w+\s*\(/g,
      quoted: null,
      interpolation: never,
    },
  ],
  [
    /^(?:node|nodejs|tsx)$/,
    {
      name: 'node',
      inline: /^(?:-[a-zA-Z]*[ep]|--eval|--print)(?:=(.*))?$/s,
      valued: /^(?:-r|--require|--import|-C|--loader)$/,
      ...javascript,
    },
  ],
  [/^bun$/, { name: 'bun', inline: /^(?:-e|--eval|-p|--print)(?:=(.*))?$/s, valued: never, ...javascript }],
  [/^deno$/, { name: 'deno', inline: /^eval$/, valued: never, ...javascript }],
  [
    /^perl[0-9.]*$/,
    {
      name: 'perl',
      inline: /^-[a-zA-Z0]*[eE](.*)$/s,
      valued: /^-[IMm]$/,
      calls:
        /(?<![\w$@>:])(?:(?:system|exec|readpipe)\s*\(?|open\s*\(?\s*(?:my\s*)?\$?\w+\s*,\s*["'](?:-\||\|-)["']\s*,)/g,
      quoted: /(?:`|\bqx\s*[{(|/])((?:[^`})|/\\]|\\[\s\S])*)[`})|/]/g,
      interpolation: /[$@][\w{]/,
    },
  ],
  [
    /^ruby[0-9.]*$/,
    {
      name: 'ruby',
      inline: /^-[a-zA-Z]*e(.*)$/s,
      valued: /^-[rIC]$/,
      calls:
        /(?<![\w$@])(?:(?:Kernel|Process|IO|Open3|Open4|PTY)\s*(?:\.|::)\s*)?(?:system|exec|spawn|popen[0-9a-z]*|capture[23]e?|pipeline)\s*[( ]/g,
      quoted: /(?:`|%x\s*[{([|])((?:[^`})\]|\\]|\\[\s\S])*)[`})\]|]/g,
      interpolation: /#\{/,
    },
  ],
  [
    /^php[0-9.]*$/,
    {
      name: 'php',
      inline: /^-r(.*)$/s,
      valued: /^-[dcz]$/,
      calls: /(?<![\w$>:])(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*\(/g,
      quoted: /`((?:[^`\\]|\\[\s\S])*)`/g,
      interpolation: /[${]\w/,
    },
  ],
  [
    /^(?:lua|luajit)[0-9.]*$/,
    {
      name: 'lua',
      inline: /^-e(.*)$/s,
      valued: /^-l$/,
      calls: /\b(?:os\.execute|io\.popen)\s*\(/g,
      quoted: null,
      interpolation: never,
    },
  ],
]);

export function languageOf(program: string): Language | null {
  for (const [names, language] of languages) {
    if (names.test(program)) {
      return language;
    }
  }
  return null;
}

/** An interpreter's call: the commands of its program, where it came with the command line. */
export function runInterpreter(language: Language, call: Call, shell: Shell): Outcome {
  shell.emitCommand(call);
  shell.overlay.mayCreate = true;
  for (const source of inlineSources(language, call, shell)) {
    if (source.kind === 'known') {
      runInlineProgram(language, source.value, call, shell);
    } else {
      shell.emitUnreadable(call, 'script', source.reason);
    }
  }
  return either(call.state);
}

/** The programs that the options, the input or a file just written give to an interpreter. */
function inlineSources(language: Language, call: Call, shell: Shell): Word[] {
  const sources: Word[] = [];
  const words = call.argv.slice(1);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const text = word?.kind === 'known' ? word.value : (word?.prefix ?? '');
    const match = language.inline.exec(text);
    const next = words[index + 1];
    if (match !== null) {
      const attached = match[1] ?? '';
      sources.push(attached === '' ? (next ?? knownWord('')) : knownWord(attached));
      index += attached === '' ? 1 : 0;
    } else if (language.valued.test(text)) {
      index += 1;
    } else if (!/^-./.test(text)) {
      return sources.length > 0 || text !== '-'
        ? [...sources, ...writtenProgram(text, call, shell)]
        : inputSource(call);
    }
  }
  return sources.length > 0 ? sources : inputSource(call);
}

function inputSource(call: Call): Word[] {
  const text = call.frame.input?.rest() ?? null;
  if (text !== null) {
    return [knownWord(text)];
  }
  const description = call.frame.input?.describe();
  return description?.kind === 'unknown' ? [unknownWord(call.source, description.reason)] : [];
}

function writtenProgram(name: string, call: Call, shell: Shell): Word[] {
  const { cwd } = call.state;
  const path = name.startsWith('/') ? name : cwd.kind === 'known' ? `${cwd.path}/${name}` : null;
  const text = path !== null && shell.overlay.wasWritten(path) ? shell.overlay.text(path) : null;
  return text === null ? [] : [knownWord(text)];
}

interface Found {
  readonly position: number;
  /** A script for the shell, the words of one program, or null where it is not literal. */
  readonly command: string | readonly string[] | null;
  readonly cwd: string | null | undefined;
}

/** Finds the processes an inline program starts, and runs those whose words are literal. */
export function runInlineProgram(language: Language, source: string, call: Call, shell: Shell): void {
  const found = [...findCalls(language, source), ...findQuoted(language, source)].sort(
    (a, b) => a.position - b.position,
  );
  if (language.needs?.test(source) === false) {
    return;
  }
  let warned = false;
  for (const { command, cwd, position } of found) {
    const directory = cwd === undefined ? lastDirectoryChange(source, position) : cwd;
    const inner = inlineCall(call, language, directory);
    if (typeof command === 'string') {
      shell.runProcess(inner, command, {
        label: 'sh -c',
        name: knownWord('sh'),
        positional: [],
        input: null,
      });
    } else if (command !== null) {
      shell.run({ ...inner, argv: command.map(knownWord), lookup: 'programs' });
    } else if (!warned && mentionsGit(source, call)) {
      warned = true;
      shell.emitUnreadable(
        call,
        'script',
        `the ${language.name} program starts a process with words that are not literal`,
      );
    }
  }
}

function inlineCall(call: Call, language: Language, directory: string | null | undefined): Call {
  const frame = { ...through(call.frame, `${language.name} program`), input: null, output: null };
  if (directory === undefined) {
    return { ...call, frame };
  }
  const { state } = call;
  const path = directory?.startsWith('/')
    ? directory
    : directory !== null && state.cwd.kind === 'known'
      ? `${state.cwd.path}/${directory}`
      : null;
  const cwd =
    path === null
      ? ({ kind: 'unknown', reason: 'the program chooses its directory' } as const)
      : ({ kind: 'known', path } as const);
  return { ...call, frame, state: { ...state, cwd } };
}

/** Only what could be about git is worth a question: the words may also come from the arguments. */
function mentionsGit(source: string, call: Call): boolean {
  return /git/i.test(source) || call.argv.some((word) => /git/i.test(word.kind === 'known' ? word.value : word.source));
}

function lastDirectoryChange(source: string, position: number): string | null | undefined {
  const changes = [...source.slice(0, position).matchAll(/\bchdir\s*\(?\s*(?:(['"])(.*?)\1)?/g)];
  const last = changes.at(-1);
  return last === undefined ? undefined : (last[2] ?? null);
}

function findCalls(language: Language, source: string): Found[] {
  return Array.from(source.matchAll(language.calls), (match) => {
    const start = match.index + match[0].length;
    const first = readLiteral(source, start, language.interpolation);
    return {
      position: match.index,
      command: first === null ? null : literalCommand(language, source, match[0], first),
      cwd: directoryOption(source.slice(start, start + 2000)),
    };
  });
}

function directoryOption(rest: string): string | null | undefined {
  const [whole, , path] = /^[^;\n]*?\b(?:cwd|chdir)\s*(?:=>|[=:])\s*(?:(['"])(.*?)\1)?/.exec(rest) ?? [];
  return whole === undefined ? undefined : (path ?? null);
}

function literalCommand(
  language: Language,
  source: string,
  caller: string,
  first: SourceLiteral,
): string | readonly string[] | null {
  if (first.kind === 'list') {
    return complete(first.values);
  }
  if (first.value === null) {
    return null;
  }
  const after = /^\s*(\.split\(\s*(?:['"]\s+['"])?\s*\))?\s*(\)|,|;|$|\n|\]|or\b|and\b|if\b|\|\|)/.exec(
    source.slice(first.end),
  );
  if (after === null) {
    return null;
  }
  const more = after[2] === ',' ? followingWords(language, source, first.end + after[0].length) : [];
  if (more === null) {
    return null;
  }
  if (/exec[lv]|spawn[lv]/.test(caller)) {
    return [first.value, ...more.slice(1)];
  }
  return more.length === 0 ? first.value : [first.value, ...more];
}

/** The words after the program: a list (`spawn('git', ['push'])`) or further strings (`system("git", "push")`). */
function followingWords(language: Language, source: string, start: number): readonly string[] | null {
  const args = /^\s*(?:\{\s*args\s*:)?\s*/.exec(source.slice(start))?.[0].length ?? 0;
  const next = readLiteral(source, start + args, language.interpolation);
  if (next === null) {
    return /^\s*(?:args|\.\.\.|\w+\s*[,)]\s*$)/.test(source.slice(start, start + 200)) && language.name !== 'python'
      ? null
      : [];
  }
  if (next.kind === 'list') {
    return complete(next.values);
  }
  if (next.value === null) {
    return null;
  }
  const comma = /^\s*,/.exec(source.slice(next.end));
  const more = comma === null ? [] : followingWords(language, source, next.end + comma[0].length);
  return more === null ? null : [next.value, ...more];
}

function complete(values: readonly (string | null)[]): readonly string[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? known : null;
}

function findQuoted(language: Language, source: string): Found[] {
  return language.quoted === null
    ? []
    : Array.from(source.matchAll(language.quoted), (match) => {
        const command = match[1] ?? '';
        return {
          position: match.index,
          command: language.interpolation.test(command) ? null : command,
          cwd: undefined,
        };
      });
}
