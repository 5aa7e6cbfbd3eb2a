import type { Call } from '../call.ts';
import { exportedText } from '../environment.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { type AwkProgram, behindOperand, formatted, openField, printed, textsOf } from './awk-expression.ts';
import { awkTokens, behindBracket, endsStatement, openingBracket } from './awk-tokens.ts';

/** More lines of input than this are not run one by one. */
const maximumLines = 100;
/** Characters; looking through more costs more than a hook has. */
const longestProgram = 16_384;

type Tokens = readonly string[];

/** The texts of a command that an awk program hands to a shell; null: the lines that it reads. */
type Handed = readonly string[] | null;

/**
 * The commands that an awk program runs: of literals, of variables that are set to such (in the program, by `-v` or
 * among the operands), and of the lines that it reads.
 */
export function awkCommands(program: string, call: Call): readonly Word[] {
  if (program.length > longestProgram) {
    return mentionsGit(program, call) ? [unknownWord(call.source, 'the program is too long to be read here')] : [];
  }
  if (!/\bsystem\b|\|/.test(program)) {
    return [];
  }
  const read: AwkProgram = {
    tokens: awkTokens(program),
    given: (name) => givenText(name, call),
    exported: (name) => exportedText(name, call.state),
  };
  return read.tokens.flatMap((_, place) =>
    handedAt(place, read).flatMap((texts) =>
      texts === null ? linesOf(call) : texts.flatMap((text) => commandOf(text, program, call)),
    ),
  );
}

/** What is handed to a shell at a place of the program: awk(1p) "system", "getline" and "Output Statements". */
function handedAt(place: number, program: AwkProgram): readonly Handed[] {
  const { tokens } = program;
  const [text, next] = tokens.slice(place, place + 2);
  if (text === 'system' && next === '(') {
    return [commandTexts(tokens.slice(place + 2, behindBracket(tokens, place + 1) - 1), program)];
  }
  if (text !== '|' && text !== '|&') {
    return [];
  }
  return next === 'getline'
    ? [commandTexts(tokens.slice(beforeOperands(tokens, place), place), program)]
    : printedTo(place, program);
}

function commandTexts(expression: Tokens, program: AwkProgram): Handed {
  return expression.length === 1 && expression[0] === '$0' ? null : textsOf(expression, program);
}

/** Where the operands begin that end before a pipe. */
function beforeOperands(tokens: Tokens, pipe: number): number {
  let begin = pipe;
  for (;;) {
    const last = tokens[begin - 1] ?? '';
    const before = /^[)\]]$/.test(last) ? openingBracket(tokens, begin - 1) : begin - 1;
    const isCondition = last === ')' && /^(?:if|while|for)$/.test(tokens[before - 1] ?? '');
    if (before < 0 || isCondition || !/^["\w$)\]]/.test(last) || /^(?:else|do|return|print)$/.test(last)) {
      return begin;
    }
    begin = before;
  }
}

/** `print "git push" | "sh"`: the shell runs what is printed; what another command does with it, that command tells. */
function printedTo(pipe: number, program: AwkProgram): readonly Handed[] {
  const { tokens } = program;
  let begin = pipe;
  while (!endsStatement(tokens[begin]) && !/^printf?$/.test(tokens[begin] ?? '')) {
    begin -= 1;
  }
  if (!/^printf?$/.test(tokens[begin] ?? '')) {
    return [];
  }
  let end = pipe + 1;
  while (behindOperand(tokens, end) > end) {
    end = behindOperand(tokens, end);
  }
  const list = withoutBrackets(tokens.slice(begin + 1, pipe));
  const whole: Handed =
    list.length === 0 || (list.length === 1 && list[0] === '$0')
      ? null
      : tokens[begin] === 'printf'
        ? formatted(list, program)
        : printed(list, program);
  return textsOf(tokens.slice(pipe + 1, end), program).map((target) => (isShell(target) ? whole : [target]));
}

function isShell(command: string): boolean {
  return /^\s*(?:\S*\/)?(?:ba|da|z|k)?sh(?:\s|$)/.test(command) && !/\s(?!-)\S/.test(command.trim());
}

/** awk(1p): what `print` prints may stand in brackets. */
function withoutBrackets(list: Tokens): Tokens {
  return list[0] === '(' && behindBracket(list, 0) === list.length ? list.slice(1, -1) : list;
}

function commandOf(text: string, program: string, call: Call): readonly Word[] {
  if (text.startsWith(openField)) {
    return mentionsGit(program, call) ? [unknownWord(call.source, 'what awk runs is not known')] : [];
  }
  const known = /\bgit\b/.test(text) ? text : text.replace(/\$awk_field[\s\S]*$/, '');
  return known.trim() === '' ? [] : [knownWord(known)];
}

function givenText(name: string, { argv }: Call): string | null {
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
