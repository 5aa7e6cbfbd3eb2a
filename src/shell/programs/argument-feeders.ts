import { type Call, framed, type Shell } from '../call.ts';
import { holdsCommands } from '../inline/source/open-command.ts';
import { anyPath } from '../outputs/listed-files.ts';
import { resolvePath } from '../path-resolution.ts';
import { changed, either, type Outcome } from '../shell-state.ts';
import {
  knownWord,
  nameOfEachWord,
  openPart,
  programName,
  provenanceOf,
  type UnknownWord,
  type Word,
} from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { openNumber } from '../words/read-again.ts';
import { insertedWord, withReferences } from '../words/variable-reference.ts';

/** xargs(1): without any word nothing is run. */
const noEmptyRun = /^-[0oprtx]*r|^--no-run-if-empty$/;

/** Commands made from known input are read one by one up to this many. */
const maximumCalls = 100;

/** `xargs`: the words of its input are added to the command, or put in the place of `-I`'s string. */
export function expandArguments(call: Call, options: readonly Word[], shell: Shell): Outcome {
  const argv = call.argv.length === 0 ? [knownWord('echo')] : call.argv;
  const values = options.map((word) => (word.kind === 'known' ? word.value : ''));
  const replace =
    optionValue(values, /^-I(.*)$/) ??
    optionValue(values, /^--replace(?:=(.*))?$/) ??
    (values.includes('-i') ? '{}' : null);
  const file = optionValue(values, /^-a(.*)$/) ?? optionValue(values, /^--arg-file(?:=(.*))?$/);
  const text = file === null ? (call.frame.input?.drain() ?? null) : textOf(file, call, shell);
  const frame = framed(call.frame, { input: null });
  const source = call.frame.input?.describe();
  const reason = source?.kind === 'unknown' ? source.reason : 'what xargs reads is not known';
  const added = addedWord(reason, call, options);
  if (replace !== null) {
    const lines =
      text === null
        ? null
        : text
            .split(/\0|\n/)
            .map((line) => line.trim())
            .filter((line) => line !== '');
    if (lines === null || lines.length > maximumCalls) {
      runWithUnknown({ ...call, frame, argv }, replace, added, shell);
    }
    for (const line of (lines ?? begun(call)).slice(0, maximumCalls)) {
      shell.run({ ...call, frame, argv: argv.map((word) => replaceKnown(word, replace, line)) });
    }
    return either(call.state);
  }
  const zero = values.some(
    (value) => /^-[a-zA-Z]*0/.test(value) || value === '--null' || /^(?:-d|--delimiter)/.test(value),
  );
  const lines = Number(optionValue(values, /^-L(.*)$/) ?? 0);
  const batches =
    text === null
      ? [[...inputWords(begun(call).join('\n'), zero).map(knownWord), added]]
      : lines > 0 && !zero
        ? byLines(text, lines)
        : byWords(text, zero, lines > 0 ? [...values, `-n${lines}`] : values);
  for (const batch of batches.slice(0, maximumCalls)) {
    shell.run({ ...call, frame, argv: [...argv, ...batch] });
  }
  return either(call.state);
}

/** The lines with which an input begins that is not known to its end. */
function begun({ frame }: Call): readonly string[] {
  return (frame.input?.known()?.prefix ?? '').split('\n').slice(0, -1);
}

/** Stands for what is put into a script. */
const inserted = insertedWord;

/** Runs a call with what is not known in the place of the mark: xargs' input, what find finds. */
export function runWithUnknown(call: Call, mark: string, value: UnknownWord, shell: Shell): void {
  const argv = scriptWith(call.argv, mark, call) ?? call.argv;
  const words = argv.map((word) => replaceUnknown(word, mark, value));
  if (argv === call.argv) {
    shell.run({ ...call, argv: words });
  } else {
    const variables = new Map(call.state.variables).set(inserted, { kind: 'scalar', value, exported: true });
    shell.run({ ...call, argv: words, state: changed(call.state, { variables }) });
  }
}

/**
 * `xargs -I{} sh -c 'echo {}'`, with a variable in the mark's place: data, as long as no text of the line itself could
 * bring commands of git along. Null: no such call.
 */
function scriptWith(argv: readonly Word[], mark: string, { frame, source }: Call): readonly Word[] | null {
  const isShell = /^(?:ba|z|da|k)?sh$/.test(programName(argv[0]) ?? '');
  const at = argv.findIndex((word) => word.kind === 'known' && /^-[a-zA-Z]*c$/.test(word.value)) + 1;
  const script = argv[at];
  if (
    !isShell ||
    at === 0 ||
    script?.kind !== 'known' ||
    !script.value.includes(mark) ||
    argv.some((word) => word.kind !== 'known') ||
    holdsCommands(frame.text.replace(source, ''))
  ) {
    return null;
  }
  const parts = script.value.split(mark);
  const text = withReferences(
    parts,
    parts.map(() => inserted),
  );
  return argv.map((word) => (word === script ? knownWord(text) : word));
}

/** What stands for the words of an input that are not known. */
function addedWord(reason: string, call: Call, options: readonly Word[]): UnknownWord {
  return inputNumber(reason, call, options) ?? inputWord(reason, call);
}

/** `… | wc -l | xargs`: it prints the number again, without the blanks around it. Null: what it reads is none. */
function inputNumber(reason: string, { argv, frame }: Call, options: readonly Word[]): UnknownWord | null {
  const { code, printedBy, prefix } = frame.input?.known() ?? {};
  const isPlain = argv.length === 0 && options.length === 0;
  return isPlain && code === openNumber && printedBy !== undefined && prefix === ''
    ? { ...unknownWord('xargs input', reason, false), code, printedBy }
    : null;
}

/** What is known of paths that a program before prints; text with spaces becomes words that nobody knows. */
function inputWord(reason: string, { frame }: Call): Word & { kind: 'unknown' } {
  const word = unknownWord('xargs input', reason);
  const { prefix = '', suffix = '', fits, names, among } = frame.input?.known() ?? {};
  const each = nameOfEachWord(names);
  const chosen = among === undefined || prefix !== '' ? {} : { among };
  if (each !== undefined) {
    return { ...word, names: each, ...chosen };
  }
  if (among !== undefined && prefix === '') {
    return { ...word, ...chosen };
  }
  const end = suffix.replace(/\n$/, '');
  const isPath = prefix.includes('/') && !/[\s"'\\]/.test(prefix + end);
  const listed = { ...word, fits: fits ?? anyPath, whenNothing: '' };
  return isPath ? { ...listed, prefix, suffix: end } : listed;
}

function textOf(file: string, { state }: Call, { overlay }: Shell): string | null {
  const path = resolvePath(knownWord(file), state.cwd);
  return path === null ? null : overlay.text(path);
}

/** `-L N`: so many lines for each call. */
function byLines(text: string, count: number): readonly (readonly Word[])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Array.from({ length: Math.ceil(lines.length / count) }, (_, at) =>
    inputWords(lines.slice(at * count, (at + 1) * count).join('\n'), false).map(knownWord),
  );
}

/** All words at once, or `-n N` for each call; a command runs even without any, unless an option says otherwise. */
function byWords(text: string, zero: boolean, values: readonly string[]): readonly (readonly Word[])[] {
  const words = inputWords(text, zero).map(knownWord);
  const perCall = Number(optionValue(values, /^-n(.*)$/) ?? 0) || Math.max(words.length, 1);
  const batches = Array.from({ length: Math.ceil(words.length / perCall) }, (_, at) =>
    words.slice(at * perCall, (at + 1) * perCall),
  );
  return batches.length === 0 && !values.some((value) => noEmptyRun.test(value)) ? [[]] : batches;
}

/** The value of the last option that matches: attached, or the next word. */
function optionValue(values: readonly string[], option: RegExp): string | null {
  const index = values.findLastIndex((value) => option.test(value));
  if (index === -1) {
    return null;
  }
  return option.exec(values[index] ?? '')?.[1] || (values[index + 1] ?? '{}');
}

function inputWords(text: string, zero: boolean): string[] {
  if (zero) {
    return text.split(text.includes('\0') ? '\0' : '\n').filter((word) => word !== '');
  }
  return Array.from(text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\])+/g), ([word]) =>
    word.replace(
      /"([^"\n]*)"|'([^'\n]*)'|\\([\s\S])/g,
      (_, double, single, escaped) => double ?? single ?? escaped ?? '',
    ),
  );
}

export function replaceKnown(word: Word, mark: string, value: string): Word {
  return word.kind === 'known' ? knownWord(word.value.replaceAll(mark, () => value)) : word;
}

/** @param value what stands where the mark is */
function replaceUnknown(word: Word, mark: string, value: UnknownWord): Word {
  if (word.kind !== 'known' || !word.value.includes(mark)) {
    return word;
  }
  const replaced = { ...unknownWord(word.value, value.reason, false), prefix: value.prefix, suffix: value.suffix };
  if (word.value === mark) {
    return { ...replaced, ...provenanceOf(value) };
  }
  return {
    ...replaced,
    shape: word.value.replaceAll(mark, () => value.prefix + openPart + value.suffix),
    ...(value.fits === undefined ? {} : { fits: anyPath }),
    prefix: word.value.slice(0, word.value.indexOf(mark)) + value.prefix,
    suffix: value.suffix + word.value.slice(word.value.lastIndexOf(mark) + mark.length),
  };
}
