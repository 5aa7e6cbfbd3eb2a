import { quotedText } from '../source/decoded-literals.ts';
import { type ExactTexts, exactTexts } from '../source/exact-texts.ts';
import { pythonFunctions, scriptFunctions } from '../source/functions.ts';
import type { Language } from '../source/languages.ts';
import { namesByText } from './function-parameters.ts';
import { mayChangeLists } from './handed-lists.ts';
import type { ProgramArguments, Span } from './known-value.ts';
import { KnownValues } from './known-values.ts';
import { unreachedOfPython } from './unreached-python.ts';
import { unreachedOfScript } from './unreached-script.ts';

/** What a condition must mention of which something can be known before the program runs. */
const knowable =
  /\bargv\b|\bparse_args\b|\b(?:if|while)\b[\s(]*(?:not\b|!)?\s*(?:False|True|false|true|0|1|None|null)\b|^[ \t]*(?:(?:const|let|var)[ \t]+)?\w+[ \t]*=[ \t]*(?:not[ \t]+|!)?(?:True|False|true|false)[ \t]*;?[ \t]*$/m;
/** A function that takes something. */
const takesSomething = /\bdef\s+\w+\s*\(\s*[\w*]|\bfunction\b[^(]*\(\s*[\w${]|\(\s*[\w${][^()]*\)\s*=>/;
/** What may run a text of the program, or the program once more, or give names other values. */
const dynamic = {
  python:
    /\b(?:eval|exec|globals|locals|vars|setattr|getsource|delattr)\s*\(|(?<!\bre\s*\.\s*)\bcompile\s*\(|__dict__|\bdef\s+(?:exit|quit|len|bool|set|list|tuple)\b|\bclass\s+sys\b|\b(?:exit|sys)\s*=(?!=)/,
  script:
    /\beval\s*\(|\bFunction\s*\(|\bnew\s+Worker\b|\bfork\s*\(|\bprocess\s*\.\s*exit\s*[-+|*]?=(?!=)|\b(?:class|function|const|let|var)\s+(?:process|Boolean|Set)\b/,
};
/** The words that a program is given, where it names them: `sys.argv`. */
const namedWords = /(?<![\w$])(?:[\w$]+\s*\.\s*)?argv(?![\w$])/g;
/** Ways to name them that leave them as they are: read by a number, as a part, by a look into them. */
const readsWords =
  /^\s*(?:\[[^\]\n]*\](?!\s*[-+*/|&]?=(?!=))|\.\s*(?:at|every|filter|find|findIndex|includes|index|indexOf|join|length|map|slice|some)\b)/;
/** Others: `in sys.argv`, `len(sys.argv)`, where nothing but the end of that follows. */
const looksAtWords =
  /(?:\bin\s+|\bof\s+|\b(?:len|list|tuple|set|bool|print|parse_args|parse_known_args|Set|Boolean|from|log)\s*\(\s*)$/;
/** `_, command = sys.argv`, `const [, , command = "status"] = process.argv`: the names are others'. */
const takesApart = /(?:(?:^|\n)[ \t]*(?:\w+[ \t]*,[ \t]*)+\*?\w+|\b(?:const|let|var)\s*\[[^[\]]*\])[ \t]*=[ \t]*$/;
const endsThere = /^[ \t]*(?:[),:;\]]|and\b|or\b|&&|\|\||\?|\n(?!\s*[.([])|$)/;
/** `from sys import argv`, `const { argv } = process`. */
const importsWords = /\bimport\s[^\n]*$|\b(?:const|import)\s*\{[^\n}]*$/;
/** `def main(argv=None):`, a name of a function's own. */
const takesWords = /\bdef\s+\w+\s*\([^()\n]*$/;
/** What a function of the program is handed them by: `main(sys.argv)`. */
const handsOn = /(?<![\w$.])([\w$]+)\s*\(\s*$/;
/** Makes the bare name that of the words. */
const namesThem = { python: /\bfrom\s+sys\s+import\b/, script: /[{,]\s*argv\s*[,:}]/ };
/** So much of a program is looked at before and behind such a name. */
const around = 60;
/** The program's own file, and what could start it with other words. */
const itself = /__file__|__filename|import\.meta|\bargv\s*\[\s*[01]\s*\]/;
const interpreter = /\bsys\s*\.\s*executable\b|\bexecPath\b|\bargv0\b|\bos\s*\.\s*exec/;

/**
 * A program without what it surely never does, by its own conditions and the words that it is given:
 * `if False:`, `if "--apply" not in sys.argv: sys.exit()`.
 *
 * @returns the same text where nothing of it is known
 */
export function withoutNeverRun({ name }: Language, source: string, given: ProgramArguments): string {
  const isPython = name === 'python';
  const isRead = isPython || /^(?:node|bun|deno)$/.test(name);
  // Words that are given stand in the program already.
  const isKnowable =
    (given.given ?? []).length > 0 || knowable.test(source) || (/\bif\b/.test(source) && takesSomething.test(source));
  if (!isRead || !isKnowable || !/git/.test(source)) {
    return source;
  }
  const read = exactTexts(source, isPython);
  const code = read === null ? '' : blankedBy(source, read);
  const isOpen =
    dynamic[isPython ? 'python' : 'script'].test(code) ||
    (itself.test(code) && interpreter.test(code)) ||
    mayChangeWords(code, isPython);
  if (read === null || isOpen || /[\r\f\v]/.test(source)) {
    return source;
  }
  const values = new KnownValues({ source, code, isPython, given });
  const unreached = (isPython ? unreachedOfPython : unreachedOfScript)(code, values);
  const spans = unreached.length === 0 ? [] : [...unreached, ...calledOnlyIn(unreached, code, isPython)];
  // What stays in their place are statements that do nothing.
  return withMembersNamed(blanked(source, spans, isPython ? '0' : ';'), code, values);
}

/** `COMMANDS[name]` */
const ofTable = /(?<=[\w$]\s*\[\s*)[A-Za-z_$][\w$]*(?=\s*\])/g;

/** The source with the text of a variable where a member of a table is looked up by it. @param code texts blanked */
function withMembersNamed(source: string, code: string, values: KnownValues): string {
  return Array.from(code.matchAll(ofTable)).reduceRight((text, { index, 0: name }) => {
    const end = index + name.length;
    const value = source.slice(index, end) === name ? values.valueOf(index, end) : null;
    return value?.kind === 'one' && typeof value.value === 'string'
      ? text.slice(0, index) + quotedText(value.value) + text.slice(end)
      : text;
  }, source);
}

/** Does a program do more with the words that it is given than look at them? What it hands on may be changed there. */
function mayChangeWords(code: string, isPython: boolean): boolean {
  const isBareNamed = namesThem[isPython ? 'python' : 'script'].test(code);
  return Array.from(code.matchAll(namedWords)).some(({ 0: name, index }) => {
    const before = code.slice(Math.max(0, index - around), index);
    const after = code.slice(index + name.length, index + name.length + around);
    if (name === 'argv' && !isBareNamed && !/\.\s*$/.test(before)) {
      return false;
    }
    const isLookedAt = (looksAtWords.test(before) || takesApart.test(before)) && endsThere.test(after);
    const isImported = importsWords.test(before) && /^\s*(?:[,;}\n]|$)/.test(after);
    const isTaken = takesWords.test(before) && /^\s*(?::[^,()=\n]*)?(?:=\s*None\s*)?[,)]/.test(after);
    const isOwn = endsThere.test(after) && isHandedToOwn(before, code);
    return /\bdel\s+$/.test(before) || !(readsWords.test(after) || isLookedAt || isImported || isTaken || isOwn);
  });
}

/** Is it handed to a function of the program, which changes no lists? */
function isHandedToOwn(before: string, code: string): boolean {
  const [, name = ''] = handsOn.exec(before) ?? [];
  const isDefined = new RegExp(`\\b(?:def|function)\\s+${name.replaceAll('$', '\\$')}\\s*\\(`).test(code);
  return name !== '' && isDefined && !mayChangeLists(code);
}

/** Functions that are called only by such functions; so deep. */
const rounds = 3;

/** The functions that a program names nowhere but in these stretches. */
function calledOnlyIn(unreached: readonly Span[], code: string, isPython: boolean): readonly Span[] {
  const found: Span[] = [];
  let dead = unreached;
  for (let round = 0; round < rounds && dead.length > 0 && !namesByText.test(code); round += 1) {
    const rest = blanked(code, [...unreached, ...found], ' ');
    const names = new Set(
      dead.flatMap(([from, to]) => code.slice(from, to).match(/[A-Za-z_$][\w$]*(?=\s*[(,)])/g) ?? []),
    );
    dead = (isPython ? pythonFunctions(rest) : scriptFunctions(rest))
      .filter((one) => names.has(one.name) && isOuter(rest, one.start) && !isNamedOutside(one, rest))
      .map(({ start, end }): Span => [start, end]);
    found.push(...dead);
  }
  return found;
}

/** No method, and nothing stands before it that could hand it on: a decorator, an assignment. */
function isOuter(code: string, start: number): boolean {
  const before = code.slice(Math.max(0, start - 200), start).replace(/\basync\s+$/, '');
  const isFirst = /(?:^|\n)$/.test(before) && !/^[ \t]/.test(code.slice(start, start + 1));
  return isFirst && !/(?:^|\n)[ \t]*(?:@[^\n]*|[)\]}][)\]}\s]*)$/.test(before.trimEnd());
}

function isNamedOutside({ name, start, end }: { name: string; start: number; end: number }, code: string): boolean {
  const uses = code.matchAll(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'));
  return Array.from(uses).some(({ index }) => index < start || index >= end);
}

/** The source with its texts, patterns and comments blanked, but for a quotation mark where each text begins. */
function blankedBy(source: string, { marks, texts }: ExactTexts): string {
  const code = Array.from({ length: source.length }, (_, at) =>
    marks[at] === true && source[at] !== '\n' ? ' ' : source.charAt(at),
  );
  for (const [start] of texts) {
    code[start] = '"';
  }
  return code.join('');
}

/** The text with stretches of it blanked. @param filler what each begins with */
function blanked(text: string, spans: readonly Span[], filler: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (to > end) {
      const start = Math.max(from, end);
      const blanks = text.slice(start, to).replace(/[^\n]/g, ' ');
      parts.push(text.slice(end, start), start === from ? blanks.replace(/^ /, filler) : blanks);
      end = to;
    }
  }
  return parts.join('') + text.slice(end);
}
