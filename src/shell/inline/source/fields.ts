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
  const { code } = program;
  const given = Array.from(code.matchAll(assignment)).slice(0, maximumFields);
  const assigned = given.flatMap(({ 0: whole, 1: name = '', index }) => {
    const isOne = changesOf(name, code) === 1 && !isDeclared(name, code);
    const text = isOne ? textAt(program, index + whole.length, around) : null;
    return text === null ? [] : [{ name, text }];
  });
  const declared = declaredFields(program).filter(({ name }) => changesOf(name, code) === 0);
  const rows = [...assigned, ...declared].map(({ name, text }) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`);
  return { kind: 'other', written: `{${rows.join(', ')}}` };
}

/** How often any object's field of that name is given a value. */
function changesOf(name: string, code: string): number {
  const change = new RegExp(`\\.\\s*${escaped(name)}\\s*(?::[^=\\n]*)?[-+*/|&?]*=(?![=>])`, 'g');
  return Array.from(code.matchAll(change)).length;
}

/** Do objects of another class have a field of that name as well? */
function isDeclared(name: string, code: string): boolean {
  const field = new RegExp(`\\n[ \\t]+${escaped(name)}[ \\t]*:[^=\\n]*(?:=|\\n|$)`);
  return isDataclass.test(code) && field.test(code);
}

const isDataclass = /\bdataclass\b/;
/** `@dataclass class Repo:`, up to its first method. */
const dataclass =
  /(?:^|\n)@(?:dataclasses\s*\.\s*)?dataclass\b(?:\([^()\n]*\))?\s*\nclass\s+(\w+)\s*(?:\(\s*\))?:((?:\n(?:[ \t]+(?!def\b|async\b|@|class\b)[^\n]*|[ \t]*))*)/g;
const declaration = /\n[ \t]+([A-Za-z_]\w*)[ \t]*:[ \t]*[^=\n]+?(?:[ \t]*=[ \t]*([^\n]*?))?[ \t]*(?=\n|$)/g;
/** What gives a field another value. */
const replaced = /\b(?:setattr|__setattr__|replace|__post_init__|InitVar|kw_only|__dict__)\b/;

/** The fields of dataclasses that have one text, whoever makes an object: what is given, or else the default. */
function declaredFields(program: SourceCode): readonly { readonly name: string; readonly text: string }[] {
  const { source, code, interpolation } = program;
  if (!isDataclass.test(code) || replaced.test(code)) {
    return [];
  }
  return Array.from(code.matchAll(dataclass)).flatMap(({ 0: whole, 1: owner = '', 2: body = '', index }) => {
    const written = source.slice(index + whole.length - body.length, index + whole.length);
    const fields = Array.from(written.matchAll(declaration));
    const parameters = fields.map(([, name = '']) => name);
    const defaults = new Map(fields.flatMap(([, name = '', value]) => (value === undefined ? [] : [[name, value]])));
    const calls = usesOf(code, owner) ?? [];
    return parameters.flatMap((name) => {
      const texts = calls.map((start) => {
        const values = argumentsAt(source, code, start, interpolation) ?? [];
        const [given] = substituted(
          { kind: 'name', name, isSpread: false, isOption: true },
          { parameters, hasRest: false, defaults },
          values,
        );
        return values.some(isOpen) ? null : wholeText(given);
      });
      const [only = null, ...others] = new Set(texts);
      return only === null || others.length > 0 ? [] : [{ name, text: only }];
    });
  });
}

function textAt(program: SourceCode, from: number, around: (position: number) => SourceFunction | null): string | null {
  const end = Math.min(endOfExpression(program.code, from), endOfLine(program.code, from));
  const written = program.source.slice(from, end).trim();
  const [, inner = written] = samePath.exec(written) ?? [];
  if (isOwnDirectory(inner, program.code)) {
    return '.';
  }
  const value = readArgument(inner, program.interpolation);
  const maker = value.kind === 'name' ? around(from) : null;
  if (value.kind !== 'name' || maker === null || !/^(?:__init__|constructor)$/.test(maker.name)) {
    return wholeText(value);
  }
  const calls = callsOf(program.code, maker);
  const texts = calls?.map((start) => {
    const values = argumentsAt(program.source, program.code, start, program.interpolation) ?? [];
    if (values.some(isOpen)) {
      return null;
    }
    const [given] = substituted({ ...value, isOption: true }, maker, values);
    return given?.kind === 'other' && isOwnDirectory(given.written, program.code) ? '.' : wholeText(given);
  });
  const [only = null, ...others] = new Set(texts);
  return others.length > 0 ? null : only;
}

/** `*args`, `**options`: which parameters are given by it is not known. */
const isOpen = (value: SourceArgument): boolean =>
  value.kind === 'name' ? value.isSpread : value.kind === 'other' && /^(?:\*|\.{3})/.test(value.written);

function endOfLine(code: string, from: number): number {
  const length = code.slice(from).search(/[;\n}]/);
  return length < 0 ? code.length : from + length;
}

/** Where the arguments begin of the calls that make an object of the class; null where it is also used in another way. */
function callsOf(code: string, maker: SourceFunction): readonly number[] | null {
  const name = Array.from(code.slice(0, maker.start).matchAll(/\bclass\s+([\w$]+)/g)).at(-1)?.[1];
  return name === undefined ? null : usesOf(code, name);
}

function usesOf(code: string, name: string): readonly number[] | null {
  const uses = [...code.matchAll(new RegExp(`(?<!\\bclass\\s+)(?<![\\w$])${escaped(name)}(?![\\w$])\\s*(\\(?)`, 'g'))];
  return uses.some(([, bracket]) => bracket === '') ? null : uses.map((use) => use.index + use[0].length);
}

/** Where the program runs, unless it goes elsewhere. */
const isOwnDirectory = (written: string, code: string): boolean =>
  /^\s*(?:process\s*\.\s*cwd\(\)|os\s*\.\s*getcwd\(\)|(?:pathlib\s*\.\s*)?Path\s*\.\s*cwd\(\))\s*$/.test(written) &&
  !/\bchdir\b/.test(code);

const escaped = (name: string) => name.replaceAll('$', '\\$');
