import type { Call } from '../call.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';

/** More lines of input than this are not run one by one. */
const maximumLines = 100;
/** Characters; looking through more costs more than a hook has. */
const longestProgram = 16_384;

/** Where an awk program hands a command to a shell; the group is an expression, literal or not: awk(1p). */
const places: readonly RegExp[] = [
  /\bsystem\s*\(\s*((?:"(?:[^"\\]|\\.)*"\s*|[^"()])*)/g,
  /((?:"(?:[^"\\]|\\.)*"|(?<![\w$])\$?\w+))\s*\|&?\s*getline/g,
  /\bprintf?\b[^|;}]{0,1000}\|&?\s*((?:"(?:[^"\\]|\\.)*"|\w+))/g,
];

/**
 * The commands that an awk program runs: of literals, of variables that are set to literals (in the program, by `-v` or
 * among the operands), and of the lines that it reads.
 */
export function awkCommands(program: string, call: Call): readonly Word[] {
  if (program.length > longestProgram) {
    return mentionsGit(program, call) ? [unknownWord(call.source, 'the program is too long to be read here')] : [];
  }
  const found = [
    ...places.flatMap((pattern) => Array.from(program.matchAll(pattern), ([, expression = '']) => expression)),
    ...printedToShells(program),
  ];
  return found.flatMap((expression) => valuesOf(expression.trim(), program, call));
}

/** `print "git push" | "sh"`: the shell runs what is printed. */
function printedToShells(program: string): readonly string[] {
  return Array.from(program.matchAll(/\|&?\s*"(?:[^"\s]*\/)?(?:ba|da|z|k)?sh\b/g), ({ index }) => {
    const before = program.slice(Math.max(0, index - 1000), index);
    const printed = /^printf?\s*\(?([\s\S]*?)\)?\s*$/.exec(before.slice(Math.max(0, before.lastIndexOf('print'))));
    // awk(1p): `print` alone prints the line.
    return printed?.[1]?.trim() || '$0';
  });
}

function valuesOf(expression: string, program: string, call: Call): readonly Word[] {
  if (expression === '$0') {
    return linesOf(call);
  }
  const values = expression.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
  const texts = values.map((value) => (value.startsWith('"') ? literal(value) : variable(value, program, call)));
  const open = texts.indexOf(null);
  if (open === 0 && values.length > 0) {
    return mentionsGit(program, call) ? [unknownWord(expression, `what awk makes of ${expression} is not known`)] : [];
  }
  const beginning = (open === -1 ? texts : texts.slice(0, open)).join('');
  const isWhole = open === -1 || !/\bgit\b/.test(beginning);
  const known = isWhole ? beginning : texts.map((text) => text ?? openPart).join('');
  return known.trim() === '' ? [] : [knownWord(known)];
}

/** `system("git branch -D " $1)`: the shell that runs it stands before a word that nobody knows, as it is called here. */
const openPart = '$awk_field';

function literal(value: string): string {
  return value
    .slice(1, -1)
    .replace(/\\(["\\/])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}

/** What a variable is set to; null where that is no literal. */
function variable(name: string, program: string, { argv }: Call): string | null {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return null;
  }
  const assignments = program.match(new RegExp(`(?<![\\w$])${name}\\s*=(?!=)`, 'g')) ?? [];
  const assigned = new RegExp(`(?<![\\w$])${name}\\s*=\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(program)?.[1];
  if (assigned !== undefined || assignments.length > 1) {
    return assignments.length > 1 ? null : literal(assigned ?? '');
  }
  const words = argv.map(beginningOf);
  const given = words.map((word) => word.replace(/^(?:-v|--assign=)/, '')).find((word) => word.startsWith(`${name}=`));
  return given?.slice(name.length + 1) ?? null;
}

function linesOf({ frame, source }: Call): readonly Word[] {
  const text = frame.input?.rest() ?? null;
  if (text === null) {
    return frame.input === null ? [] : [unknownWord(source, 'the lines that awk runs are not known')];
  }
  return text.split('\n').slice(0, maximumLines).map(knownWord);
}

/** Only what could be about git is worth a question; what the environment holds could. */
function mentionsGit(program: string, { argv, frame }: Call): boolean {
  const texts = argv.map((word) => (word.kind === 'known' ? word.value : word.source));
  return [program, ...texts, frame.input?.rest() ?? ''].some((text) => /git|ENVIRON/i.test(text));
}
