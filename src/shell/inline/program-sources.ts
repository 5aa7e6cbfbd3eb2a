import type { Call, Shell } from '../call.ts';
import { listedFiles } from '../outputs/listed-files.ts';
import { resolvePath } from '../path-resolution.ts';
import type { FileText } from '../script-files.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { isRecord, parsedJson } from '../tasks/json-values.ts';
import type { GivenWords } from './program-arguments.ts';
import type { Language } from './source/languages.ts';
import { readLiteral } from './source/literal.ts';
import { withoutUncalled } from './source/uncalled-functions.ts';

/** Programs within programs are read up to this many. */
const maximumPrograms = 20;
/** Characters of the modules on the disk that are read for one call. */
const maximumModules = 131_072;

/** A program that an interpreter is given. */
export interface ProgramSource {
  readonly source: Word;
  /** Where it lies, if it was there before the line: only what it says in so many words counts then. */
  readonly presentAt: string | null;
  /** Where it lies, if the line has written it. */
  readonly writtenAt?: string;
  /** A program loads it: its functions are called from there. */
  readonly isModule?: true;
}

export interface Programs {
  readonly sources: readonly ProgramSource[];
  /** The text of the modules on the disk that these name. */
  readonly modules: string;
  /** The text of those that the line has written, which are {@link sources} as well. */
  readonly writtenModules: string;
  /** The words that the program is given; null where it is none, or they are not all known. */
  readonly given: GivenWords | null;
}

/** The programs that a call gives to an interpreter, and those that they name: that this line has written, or that are there. */
export function programSources(language: Language, call: Call, shell: Shell): Programs {
  const { found, given } = fromWords(language, call, shell);
  const sources = [...fromEnvironment(language, call, shell), ...found];
  const modules: ProgramSource[] = [];
  const seen = new Set<string>();
  const takeModules = (program: ProgramSource) => {
    const names = modules.length < maximumPrograms ? modulesIn(program, language) : [];
    for (const name of names.filter((one) => !seen.has(one))) {
      seen.add(name);
      for (const module of programsNamed(name, language, call, shell, directoriesFor(program, language, call))) {
        const isWritten = module.presentAt === null;
        (isWritten ? sources : modules).push(isWritten ? { ...module, isModule: true } : module);
      }
    }
  };
  // Both lists grow while they are gone through.
  for (const program of sources) {
    const { source } = program;
    const inner = source.kind === 'known' && sources.length < maximumPrograms ? evaluated(source.value, language) : [];
    sources.push(...inner.map((text) => ({ ...program, source: text })));
    takeModules(program);
  }
  for (const module of modules) {
    takeModules(module);
  }
  const called = withCalledOnly(language, sources, modules);
  const written = called.filter(({ isModule }) => isModule === true);
  return { sources: called, modules: joined(modules, sources), writtenModules: joined(written, []), given };
}

function withCalledOnly(
  language: Language,
  sources: readonly ProgramSource[],
  modules: readonly ProgramSource[],
): readonly ProgramSource[] {
  const texts = [...sources, ...modules].flatMap(({ source }) => (source.kind === 'known' ? [source.value] : []));
  return sources.map((program) =>
    program.source.kind === 'known'
      ? { ...program, source: knownWord(withoutUncalled(language, program.source.value, texts)) }
      : program,
  );
}

/** The names of the modules that a program loads. */
function modulesIn({ source }: ProgramSource, language: Language): readonly string[] {
  const matches = source.kind === 'known' ? Array.from(source.value.matchAll(language.modules)) : [];
  const named = matches.map(([, module, ...files]) =>
    module === undefined ? (files.find((file) => file !== undefined) ?? '') : moduleName(module, language),
  );
  return language.isDotted === true && source.kind === 'known' ? [...named, ...modulesOfPackages(source.value)] : named;
}

/** `from tools import git, log`: of Python's packages, what is imported may be a module itself. */
function modulesOfPackages(text: string): readonly string[] {
  const imports = text.matchAll(/(?:^|[\n;])[ \t]*from[ \t]+\.*([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n;]*))/g);
  return Array.from(imports).flatMap(([, from = '', inBrackets, inLine = '']) =>
    Array.from((inBrackets ?? inLine).matchAll(/(?:^|,)\s*(\w+)/g), ([, name = '']) =>
      `${from}.${name}`.replace(/^\./, '').replaceAll('.', '/'),
    ),
  );
}

/** Without such a word, nothing in a module is of interest, and most have none. */
const matters = /(?<![a-z])git|Git|GIT|\bgh\b|oxide-guard|\.sh\b/;

/** A module without one may still run what it is given. */
const startsPrograms = /child_process|subprocess|\bos\.system\b|\bexeca\b/;

function joined(modules: readonly ProgramSource[], programs: readonly ProgramSource[]): string {
  const texts = [...programs, ...modules.filter(({ presentAt }) => !isManifest(presentAt))];
  let text = '';
  for (const { source, presentAt } of modules) {
    const module = source.kind === 'known' ? source.value : '';
    const used = isManifest(presentAt) ? usedMembers(module, texts) : module;
    const next = matters.test(used) || startsPrograms.test(used) ? `\n${used}` : '';
    text += text.length + next.length <= maximumModules ? next : '';
  }
  return text;
}

const isManifest = (path: string | null): boolean => path?.endsWith('/package.json') === true;

/** What programs use of a package.json, most often its version: members that one of them names. */
function usedMembers(manifest: string, programs: readonly ProgramSource[]): string {
  const members = parsedJson(manifest);
  if (!isRecord(members)) {
    return manifest;
  }
  const used = Object.entries(members).filter(([name]) =>
    programs.some(({ source }) => source.kind !== 'known' || source.value.includes(name)),
  );
  return JSON.stringify(Object.fromEntries(used), null, 2);
}

/** A program within a program, `eval("…")`. */
function evaluated(source: string, { interpolation }: Language): readonly Word[] {
  const calls = source.matchAll(
    /\b(?:exec|eval|compile|runIn(?:This|New)Context|Function|instance_eval)\s*\(?\s*(?=[rbuf]?["'`])/g,
  );
  return Array.from(calls, (match) => readLiteral(source, match.index + match[0].length, interpolation)).flatMap(
    (literal) => (literal?.kind === 'string' && literal.value !== null ? [knownWord(literal.value)] : []),
  );
}

const onLine = (source: Word): ProgramSource => ({ source, presentAt: null });

/** By the options, by a file, or else by the input. */
function fromWords(
  language: Language,
  call: Call,
  shell: Shell,
): Pick<Programs, 'given'> & { readonly found: readonly ProgramSource[] } {
  const sources: ProgramSource[] = [];
  const words = call.argv.slice(1);
  let hasProgram = false;
  let isInline = false;
  let isLoaded = false;
  let endsOptions = false;
  for (let index = 0; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    const { role, attached, isLast = false } = readOption(text, language, endsOptions);
    endsOptions = isLast;
    const value = attached === '' ? (words[index + 1] ?? knownWord('')) : knownWord(attached);
    if (role === 'check') {
      return { found: [], given: null };
    }
    if (role === 'operand') {
      // What a module is given, it reads: `python -m py_compile x.py`. Those that run it are looked through before.
      const own = isInline || isLoaded ? [] : operandSource(words[index], hasProgram, { language, call, shell });
      const given = isLoaded ? givenWords([], words.slice(index)) : givenTo(language, isInline, words.slice(index));
      return { found: [...sources, ...own], given };
    }
    if (role === 'program') {
      isInline = true;
      hasProgram = true;
      sources.push(onLine(value));
    } else if (role === 'load') {
      const name = beginningOf(value);
      const directories = directoriesFor(onLine(value), language, call);
      sources.push(...programsNamed(moduleName(name, language), startable(language), call, shell, directories));
      isLoaded ||= language.consoles?.test(name) === false;
      hasProgram ||= isLoaded;
    }
    index += role !== 'flag' && attached === '' ? 1 : 0;
    hasProgram ||= language.inputless?.test(text) === true;
  }
  return { found: hasProgram ? sources : [...sources, ...inputSource(call)], given: nothingIn(words) };
}

/** A file, any file of a listing, or `-` for the input. */
function operandSource(
  word: Word | undefined,
  hasProgram: boolean,
  { language, call, shell }: { readonly language: Language; readonly call: Call; readonly shell: Shell },
): readonly ProgramSource[] {
  if (word?.kind !== 'known') {
    const listed = word === undefined ? null : listedFiles(word, call.state.cwd, shell.overlay, 'own');
    return (listed ?? []).flatMap((file) => programsNamed(file, startable(language), call, shell));
  }
  return !hasProgram && (word.value === '-' || word.value === '/dev/stdin')
    ? inputSource(call)
    : programsNamed(word.value, startable(language), call, shell);
}

/** `pkg.module`, where that is a file in a directory. */
function moduleName(name: string, { isDotted = false }: Language): string {
  return isDotted ? name.replaceAll('.', '/') : name;
}

/** Words without an operand give a program nothing, as far as they are known. */
const nothingIn = (words: readonly Word[]): GivenWords | null => (textsOf(words) === null ? null : givenWords([], []));

/**
 * What a program is given on the line or in a file. In Node's `process.argv` the first word behind `-e PROGRAM` is where
 * a file's name would be.
 */
function givenTo({ name }: Language, isInline: boolean, words: readonly Word[]): GivenWords | null {
  const script = words.slice(0, 1);
  return isInline && name !== 'node' ? givenWords([], words) : givenWords(isInline ? script : [], words.slice(1));
}

/** @param script what stands in the place of a file's name */
function givenWords(script: readonly Word[], rest: readonly Word[]): GivenWords | null {
  const words = textsOf(rest);
  return words === null ? null : { words, script: textsOf(script)?.[0] ?? null };
}

function textsOf(words: readonly Word[]): readonly string[] | null {
  const texts = words.flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  return texts.length === words.length ? texts : null;
}

interface InterpreterOption {
  /** What its value is; a `flag` has none. */
  readonly role: 'program' | 'load' | 'valued' | 'operand' | 'flag' | 'check';
  /** The value, where it is part of the word. */
  readonly attached: string;
  /** What follows are operands. */
  readonly isLast?: true;
}

/** @param isBehind whether the options have ended */
function readOption(
  text: string,
  { inline, inlineIsLast, loads, valued, checks, verbs }: Language,
  isBehind = false,
): InterpreterOption {
  if (isBehind) {
    return { role: 'operand', attached: '' };
  }
  if (checks?.test(text) === true) {
    return { role: 'check', attached: '' };
  }
  const program = inline.exec(text);
  if (program !== null) {
    return { role: 'program', attached: program[1] ?? '', ...(inlineIsLast === true ? { isLast: true } : {}) };
  }
  const load = loads?.exec(text) ?? null;
  if (load !== null) {
    return { role: 'load', attached: load[1] ?? '' };
  }
  if (valued.test(text)) {
    return { role: 'valued', attached: '' };
  }
  if (text === '--') {
    return { role: 'flag', attached: '', isLast: true };
  }
  // `deno run FILE` starts what `deno FILE` does.
  return { role: /^-./.test(text) || verbs?.test(text) === true ? 'flag' : 'operand', attached: '' };
}

/** `NODE_OPTIONS='-r ./x.js'`: the programs that it names. */
function fromEnvironment(language: Language, call: Call, shell: Shell): readonly ProgramSource[] {
  const words = exportedText(call, language.variable ?? '').split(/\s+/);
  return words.flatMap((word, index) => {
    const { role, attached } = readOption(word, language);
    const name = attached === '' ? (words[index + 1] ?? '') : attached;
    return role === 'load' ? programsNamed(name, language, call, shell) : [];
  });
}

/** What the line has given a variable that programs see; empty where it has given it nothing. */
function exportedText({ state }: Call, name: string): string {
  const variable = state.variables.get(name);
  return variable?.kind === 'scalar' && variable.exported ? beginningOf(variable.value) : '';
}

function inputSource(call: Call): readonly ProgramSource[] {
  const text = call.frame.input?.rest() ?? null;
  if (text !== null) {
    return [onLine(knownWord(text))];
  }
  const open = call.frame.input?.known();
  return open === null || open === undefined ? [] : [onLine(open)];
}

/** Where the modules of a program are looked for, beside the directory in which the line stands: first in its own. */
function directoriesFor(
  { source, presentAt, writtenAt }: ProgramSource,
  { directories }: Language,
  call: Call,
): readonly string[] {
  const place = presentAt ?? writtenAt;
  const own = place === undefined ? [] : [place.slice(0, place.lastIndexOf('/'))];
  if (directories === undefined) {
    return own.map((directory) => `${directory}/`);
  }
  const text = source.kind === 'known' ? source.value : '';
  const named = Array.from(text.matchAll(directories.named), ([, directory = '']) => directory);
  const listed = exportedText(call, directories.variable).split(':');
  return [...own, ...named, ...listed].flatMap((directory) => (directory === '' ? [] : [`${directory}/`]));
}

/** The language, for the name of a program that is started. */
const startable = (language: Language): Language => ({ ...language, endings: language.mains ?? language.endings });

/** @param directories where it may lie, each with a slash at its end, beside the one where the line stands */
function programsNamed(
  name: string,
  { endings }: Language,
  { state }: Call,
  { overlay }: Shell,
  directories: readonly string[] = [],
): readonly ProgramSource[] {
  const paths = [...directories, ''].flatMap((directory) =>
    ['', ...endings].flatMap((ending) => resolvePath(knownWord(`${directory}${name}${ending}`), state.cwd) ?? []),
  );
  const written = paths.find((path) => overlay.wasWritten(path));
  const path = written ?? paths.find((candidate) => overlay.text(candidate) !== null);
  const texts = path === undefined ? [] : overlay.texts(path);
  return texts.flatMap((file) => {
    const source = file.kind === 'text' ? knownWord(file.text) : file.kind === 'unreadable' ? aboutGit(file) : null;
    return source === null
      ? []
      : [written === undefined ? { source, presentAt: path ?? null } : { source, presentAt: null, writtenAt: written }];
  });
}

/** Of a program that the line has written with a value in it, only what mentions git is worth a question. */
function aboutGit({ open }: Extract<FileText, { kind: 'unreadable' }>): Word | null {
  return open?.shape !== undefined && matters.test(open.shape) ? open : null;
}
