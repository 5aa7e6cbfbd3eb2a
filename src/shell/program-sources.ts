import type { Call, Shell } from './call.ts';
import type { Language } from './languages.ts';
import { resolvePath } from './path-resolution.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';
import { readLiteral } from './source-literal.ts';

/** Programs within programs are read up to this many. */
const maximumPrograms = 20;

/** The programs that a call gives to an interpreter, and those that they name and that this line has written. */
export function programSources(language: Language, call: Call, shell: Shell): readonly Word[] {
  const all = [...fromEnvironment(language, call, shell), ...fromWords(language, call, shell)];
  const seen = new Set<string>();
  for (const source of all) {
    all.push(...(source.kind === 'known' && all.length < maximumPrograms ? evaluated(source.value, language) : []));
    for (const match of source.kind === 'known' ? source.value.matchAll(language.modules) : []) {
      const name = match.slice(1).find((group) => group !== undefined) ?? '';
      if (!seen.has(name)) {
        seen.add(name);
        all.push(...writtenProgram(name, language, call, shell));
      }
    }
  }
  return all;
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

/** By the options, by a file just written, or else by the input. */
function fromWords(language: Language, call: Call, shell: Shell): readonly Word[] {
  const sources: Word[] = [];
  const words = call.argv.slice(1);
  let hasProgram = false;
  for (let index = 0; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    const { role, attached } = readOption(text, language);
    const value = attached === '' ? (words[index + 1] ?? knownWord('')) : knownWord(attached);
    if (role === 'operand') {
      const isInput = !hasProgram && text === '-';
      return [...sources, ...(isInput ? inputSource(call) : writtenProgram(text, language, call, shell))];
    }
    if (role === 'program') {
      hasProgram = true;
      sources.push(value);
    } else if (role === 'load') {
      const name = beginningOf(value);
      sources.push(...writtenProgram(name, language, call, shell));
      hasProgram ||= language.consoles?.test(name) === false;
    }
    index += role !== 'flag' && attached === '' ? 1 : 0;
    hasProgram ||= language.inputless?.test(text) === true;
  }
  return hasProgram ? sources : [...sources, ...inputSource(call)];
}

interface InterpreterOption {
  /** What its value is; a `flag` has none. */
  readonly role: 'program' | 'load' | 'valued' | 'operand' | 'flag';
  /** The value, where it is part of the word. */
  readonly attached: string;
}

function readOption(text: string, { inline, loads, valued }: Language): InterpreterOption {
  const program = inline.exec(text);
  if (program !== null) {
    return { role: 'program', attached: program[1] ?? '' };
  }
  const load = loads?.exec(text) ?? null;
  if (load !== null) {
    return { role: 'load', attached: load[1] ?? '' };
  }
  return { role: valued.test(text) ? 'valued' : /^-./.test(text) ? 'flag' : 'operand', attached: '' };
}

/** `NODE_OPTIONS='-r ./x.js'`: the programs that it names. */
function fromEnvironment(language: Language, call: Call, shell: Shell): readonly Word[] {
  const value = call.state.variables.get(language.variable ?? '');
  const text = value?.kind === 'scalar' && value.exported ? beginningOf(value.value) : '';
  const words = text.split(/\s+/);
  return words.flatMap((word, index) => {
    const { role, attached } = readOption(word, language);
    const name = attached === '' ? (words[index + 1] ?? '') : attached;
    return role === 'load' ? writtenProgram(name, language, call, shell) : [];
  });
}

function inputSource(call: Call): readonly Word[] {
  const text = call.frame.input?.rest() ?? null;
  if (text !== null) {
    return [knownWord(text)];
  }
  const open = call.frame.input?.known();
  return open === null || open === undefined ? [] : [open];
}

function writtenProgram(name: string, { endings }: Language, { state }: Call, { overlay }: Shell): readonly Word[] {
  const paths = ['', ...endings].flatMap((ending) => resolvePath(knownWord(`${name}${ending}`), state.cwd) ?? []);
  const path = paths.find((candidate) => overlay.wasWritten(candidate));
  const texts = path === undefined ? [] : overlay.texts(path);
  return texts.flatMap((file) => (file.kind === 'text' ? [knownWord(file.text)] : []));
}
