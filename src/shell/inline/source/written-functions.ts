import { writtenAt } from './arguments.ts';
import { endOfBracket } from './brackets.ts';
import { endOfBody } from './functions.ts';
import type { Language } from './languages.ts';
import { endOfRubyBlock } from './statements.ts';

/** A name of a function by which it has what it is given. */
interface Parameter {
  readonly name: string;
  /** Which argument it has, or from which on it has all. */
  readonly place: number;
  readonly isRest: boolean;
  /** What it has where nothing is given, as it is written. */
  readonly usual: string | null;
  /** It is written as a variable that is given a value. */
  readonly isTaken: boolean;
}

/** A function of a program in Ruby, Perl or PHP. */
export interface WrittenFunction {
  readonly name: string;
  readonly nameAt: number;
  readonly start: number;
  readonly end: number;
  readonly parameters: readonly Parameter[];
  /** A variable holds it: `my $run = sub { … }`. */
  readonly isHeld: boolean;
  /** It sees the variables around it. */
  readonly isOpen: boolean;
}

/** The text of a program, and the same with its texts and comments blanked. */
export interface WrittenCode {
  readonly language: Language;
  readonly source: string;
  readonly code: string;
  /** Are all texts told apart from the code? */
  readonly isCertain: boolean;
}

/** The functions of a program, the outer before the inner. */
export function writtenFunctions(written: WrittenCode): readonly WrittenFunction[] {
  const finders = { ruby: rubyFunctions, perl: perlFunctions, php: phpFunctions };
  const { name } = written.language;
  const found = name === 'ruby' || name === 'perl' || name === 'php' ? finders[name](written) : [];
  return found.toSorted((a, b) => a.start - b.start);
}

function rubyFunctions(written: WrittenCode): readonly WrittenFunction[] {
  const { code } = written;
  const defined = Array.from(
    code.matchAll(/\bdef[ \t]+(?:self\.)?(\w+[?!]?)(?:[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)|[ \t]+([^\n;=()]+))?/dg),
    (match): WrittenFunction => {
      const [whole, name = ''] = match;
      const [, place, list, bare] = match.indices ?? [];
      const open = match.index + whole.length;
      const endless = /^[ \t]*=(?![=~>])/.exec(code.slice(open))?.[0].length;
      return {
        name,
        nameAt: place?.[0] ?? match.index,
        start: match.index,
        end: endless === undefined ? endOfRubyBlock(code, open) : endOfBody(code, open + endless),
        parameters: parametersAt(list ?? bare, written),
        isHeld: false,
        isOpen: false,
      };
    },
  );
  const held = Array.from(
    code.matchAll(
      /(?:(?<![\w.@$:])(\w+)\s*=\s*)?(?:->\s*(?:\(([^()]*)\)|([\w, *]*?))\s*(\{|do\b)|(?:lambda|proc|Proc\.new)\s*(\{|do\b)\s*\|([^|\n]*)\|)/dg,
    ),
    (match): WrittenFunction => {
      const [whole, name = '', , , brace, other] = match;
      const [, place, list, bare, , , piped] = match.indices ?? [];
      const open = match.index + whole.length;
      return {
        name,
        nameAt: place?.[0] ?? match.index,
        start: match.index,
        end: (brace ?? other) === '{' ? endOfBracket(code, open) + 1 : endOfRubyBlock(code, open),
        parameters: parametersAt(list ?? bare ?? piped, written),
        isHeld: true,
        isOpen: true,
      };
    },
  );
  return [...defined, ...held];
}

function phpFunctions(written: WrittenCode): readonly WrittenFunction[] {
  const { code } = written;
  return Array.from(
    code.matchAll(
      /(?:\bfunction\s+&?(\w+)\s*|(?:(\$\w+)\s*=\s*)?(?:static\s+)?\b(?:function|fn)\s*&?)\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(use\s*\([^()]*\)\s*)?(?::\s*\??[\w|\\]+\s*)?(?:=>\s*|(?=\{))/dg,
    ),
    (match): WrittenFunction => {
      const [whole, name, held = ''] = match;
      const [, place, variable, list] = match.indices ?? [];
      return {
        name: name ?? held,
        nameAt: (place ?? variable)?.[0] ?? match.index,
        start: match.index,
        end: endOfBody(code, match.index + whole.length),
        parameters: parametersAt(list, written),
        isHeld: name === undefined,
        isOpen: name === undefined,
      };
    },
  );
}

/** @param place where the list of parameters stands; undefined: there is none */
function parametersAt(
  place: readonly [number, number] | undefined,
  { source, code }: WrittenCode,
): readonly Parameter[] {
  const [from, to] = place ?? [0, 0];
  // What is not given by its place, and a block.
  const list = writtenAt(`${source.slice(0, to)})`, `${code.slice(0, to)})`, from) ?? [];
  const positional = list.filter((text) => !/^\s*(?:\w+:|\*\*|&[a-z]|\*\s*$)/.test(text));
  return positional.map((text, at): Parameter => {
    const [, mark = '', name = text.trim()] = /^(?:[\w\\|?]+\s+)?\s*(\*|\.\.\.|&)?\s*(\$?\w+)/.exec(text.trim()) ?? [];
    const [, usual = null] = /=\s*([\s\S]+)$/.exec(text) ?? [];
    return { name, place: at, isRest: /^[*.]/.test(mark), usual: usual?.trim() ?? null, isTaken: usual !== null };
  });
}

function perlFunctions(written: WrittenCode): readonly WrittenFunction[] {
  const { code, source } = written;
  return Array.from(
    code.matchAll(/(?:\bsub\s+(\w+)|(?:\bmy\s+(\$\w+)\s*=\s*)?\bsub\b)\s*(?:\(([^()]*)\)\s*)?\{/dg),
    (match): WrittenFunction => {
      const [whole, name, held = '', signature = ''] = match;
      const [, place, variable] = match.indices ?? [];
      const open = match.index + whole.length - 1;
      const end = endOfBody(code, open);
      const isSigned = /[$@%]\w/.test(signature);
      return {
        name: name ?? held,
        nameAt: (place ?? variable)?.[0] ?? match.index,
        start: match.index,
        end,
        parameters: isSigned
          ? signature.split(',').map(
              (text, at): Parameter => ({
                name: /[$@%]\w+/.exec(text)?.[0] ?? '',
                place: at,
                isRest: text.trim().startsWith('@'),
                usual: null,
                isTaken: false,
              }),
            )
          : takenIn(code.slice(open, end), source.slice(open, end)),
        isHeld: name === undefined,
        isOpen: true,
      };
    },
  );
}

const taking =
  /\bmy\s*(?:\(([^()]*)\)|([$@]\w+))\s*=\s*(@_|shift\b(?:\s*@_|\s*\(\s*@_\s*\))?)(?=\s*(?:[;}]|$|\|\||\/\/))/g;

/** What a function of Perl takes of its arguments: `my ($self, @words) = @_`, `my $command = shift`. */
function takenIn(code: string, body: string): readonly Parameter[] {
  const all = Array.from(code.matchAll(taking));
  const shifts = code.match(/\b(?:shift|pop|splice)\b(?!\s*\(?\s*@\w*[A-Za-z])/g)?.length ?? 0;
  const ownShifts = all.filter(([, , , from = '']) => from !== '@_').length;
  const rest: Parameter = { name: '@_', place: ownShifts, isRest: true, usual: null, isTaken: false };
  // Elsewhere what is taken away depends on more than is looked at.
  if (
    shifts > ownShifts ||
    /\b(?:unshift|push)\b\s*\(?\s*@_|[@$]_\b\s*(?:\[[^\]]*\]\s*)?=(?![=~>])|&\w+\s*;/.test(code)
  ) {
    return [];
  }
  let place = 0;
  const parameters = all.flatMap((match): readonly Parameter[] => {
    const [whole, list, single = '', taken = ''] = match;
    const names = (list ?? single).split(',').map((one) => one.trim());
    const usual = /^\s*(?:\|\||\/\/)=?\s*([^;}]+)/.exec(body.slice(match.index + whole.length))?.[1] ?? null;
    const from = place;
    place += taken === '@_' ? 0 : 1;
    // `my $count = @_` counts them, and `my ($c) = shift` takes one.
    return list === undefined && taken === '@_' && single.startsWith('$')
      ? []
      : names.map((name, at) => ({ name, place: from + at, isRest: name.startsWith('@'), usual, isTaken: true }));
  });
  return [...parameters, rest];
}
