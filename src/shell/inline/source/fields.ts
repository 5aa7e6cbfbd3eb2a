import type { SourceArgument } from './argument.ts';
import { argumentsAt, endOfExpression, readArgument } from './arguments.ts';
import type { SourceCode } from './code.ts';
import { wholeText } from './command.ts';
import type { SourceFunction } from './functions.ts';
import { substituted } from './substitution.ts';

const assignment = /\b(?:self|this)\s*\.\s*([\w$]+)\s*(?::[^=\n]*)?=(?![=>])/g;
/** More fields than this are not looked into. */
const maximumFields = 30;
/** What makes the same path of another one. */
const samePath =
  /^(?:(?:pathlib\s*\.\s*)?Path|str|String|os\s*\.\s*(?:fspath|path\s*\.\s*(?:abspath|realpath))|path\s*\.\s*resolve)\(\s*([\w$]+)\s*\)$/;

/**
 * The fields of a program's own objects (`self.path`, `this.path`) that are given one text, as a table: a literal, or
 * what every call gives to the parameter of the constructor. Nothing else may give them another one.
 *
 * @param around the function that a position stands in
 */
export function ownFields(program: SourceCode, around: (position: number) => SourceFunction | null): SourceArgument {
  const given = Array.from(program.code.matchAll(assignment)).slice(0, maximumFields);
  const fields = given.map((match) => {
    const [whole, name = ''] = match;
    const changes = program.code.match(new RegExp(`\\.\\s*${escaped(name)}\\s*(?::[^=\\n]*)?[-+*/|&?]*=(?![=>])`, 'g'));
    const text = changes?.length === 1 ? textAt(program, match.index + whole.length, around) : null;
    return text === null ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(text)}`];
  });
  return { kind: 'other', written: `{${fields.flat().join(', ')}}` };
}

function textAt(program: SourceCode, from: number, around: (position: number) => SourceFunction | null): string | null {
  const end = Math.min(endOfExpression(program.code, from), endOfLine(program.code, from));
  const written = program.source.slice(from, end).trim();
  const [, inner = written] = samePath.exec(written) ?? [];
  const value = readArgument(inner, program.interpolation);
  const maker = value.kind === 'name' ? around(from) : null;
  if (value.kind !== 'name' || maker === null || !/^(?:__init__|constructor)$/.test(maker.name)) {
    return wholeText(value);
  }
  const calls = callsOf(program.code, maker);
  const texts = calls?.map((start) => {
    const values = argumentsAt(program.source, program.code, start, program.interpolation) ?? [];
    const [given] = substituted({ ...value, isOption: true }, maker, values);
    return wholeText(given);
  });
  const [only = null, ...others] = new Set(texts);
  return others.length > 0 ? null : only;
}

function endOfLine(code: string, from: number): number {
  const length = code.slice(from).search(/[;\n}]/);
  return length < 0 ? code.length : from + length;
}

/** Where the arguments begin of the calls that make an object of the class; null where it is also used in another way. */
function callsOf(code: string, maker: SourceFunction): readonly number[] | null {
  const name = Array.from(code.slice(0, maker.start).matchAll(/\bclass\s+([\w$]+)/g)).at(-1)?.[1];
  if (name === undefined) {
    return null;
  }
  const uses = [...code.matchAll(new RegExp(`(?<!\\bclass\\s+)(?<![\\w$])${escaped(name)}(?![\\w$])\\s*(\\(?)`, 'g'))];
  return uses.some(([, bracket]) => bracket === '') ? null : uses.map((use) => use.index + use[0].length);
}

const escaped = (name: string) => name.replaceAll('$', '\\$');
