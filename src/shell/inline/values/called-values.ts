import { writtenAt } from '../source/arguments.ts';
import { endOfBracket } from '../source/brackets.ts';
import { codeOf } from '../source/code.ts';
import {
  ownMethods,
  pythonFunctions,
  type SourceFunction,
  scriptFunctions,
  scriptMethods,
  withoutLists,
} from '../source/functions.ts';
import type { Language } from '../source/languages.ts';
import { withBoundMethods, withChosenMembers, withMethodsCalled } from './bound-methods.ts';
import { type Edit, withEdits } from './edits.ts';
import {
  type FunctionValue,
  fieldName,
  functionValues,
  type HeldName,
  importedFunctions,
  memberName,
  plainName,
  usesOf,
} from './function-values.ts';
import { laterArguments, usageOf, type ValueProgram } from './handed-arguments.ts';
import { boundBy, isWholeItem, placeOf, type ValuePlace } from './value-place.ts';

/** More values than these are not looked at. */
const maximumValues = 60;
/** A name of a name of a name is followed so far. */
const maximumRounds = 4;

/** What becomes of a value: names that stand for it, and what the source says instead. */
interface Followed {
  readonly names: readonly HeldName[];
  readonly edits: readonly Edit[];
}

/**
 * The source of a program in Python or JavaScript with functions called that start processes or change files, and that
 * it hands on, stores or chooses: `retry(subprocess.run, ["git", "push"])`, `act = print if dry else subprocess.run`,
 * `constructor(exec = execSync)`. One that can't be followed is called with something unknown, if the program has a
 * command of git.
 */
export function withValuesCalled({ name }: Language, source: string): string {
  const isPython = name === 'python';
  if (!(isPython || /^(?:node|bun|deno)$/.test(name)) || !mayHold.test(source)) {
    return source;
  }
  const own = isPython ? withBoundMethods(withChosenMembers(source)) : withMethodsCalled(withChosenMembers(source));
  const code = withoutLists(codeOf(own, isPython));
  const imported = importedFunctions(isPython, own);
  if (functionValues(code, isPython, imported).length === 0) {
    return own;
  }
  const functions = isPython ? pythonFunctions(code) : [...scriptFunctions(code), ...scriptMethods(code)];
  const program = { source: own, code, isPython, functions: functions.toSorted((a, b) => a.start - b.start) };
  return withEdits(own, editsOf(program, imported));
}

const mayHold = /subprocess|pathlib|\bos\b|shutil|asyncio|child_process|\bfs\b|execa/;

function editsOf(program: ValueProgram, imported: readonly HeldName[]): readonly Edit[] {
  const names: HeldName[] = [];
  let values: readonly FunctionValue[] = [];
  for (let round = 0; round < maximumRounds; round += 1) {
    values = functionValues(program.code, program.isPython, [...imported, ...names])
      // execa`git push`
      .filter(({ end }) => !/^\s*`/.test(program.source.slice(end, end + 10)))
      .slice(0, maximumValues);
    const found = values.flatMap((value) => follow(value, program)?.names ?? []);
    const fresh = found.filter((one) => !names.some((known) => isSame(known, one)));
    if (fresh.length === 0) {
      break;
    }
    names.push(...fresh);
  }
  const hasCommand = commandOfGit.test(program.source);
  const edits = values.flatMap((value) => follow(value, program)?.edits ?? (hasCommand ? [unknownCall(value)] : []));
  return [...edits, ...names.flatMap((held) => callsOf(held, program))];
}

const isSame = (one: HeldName, other: HeldName): boolean =>
  one.pattern === other.pattern && one.from === other.from && one.to === other.to;

/** `["git", …]`, `'git push'` */
const commandOfGit = /["'`]git(?:["'`]|\s+[\w-])/;

const unknownCall = ({ end }: FunctionValue): Edit => ({ start: end, end, text: '(handed)' });

function callsOf(held: HeldName, { code }: ValueProgram): readonly Edit[] {
  return usesOf(code, held)
    .filter(
      ({ start, end }) =>
        /^\s*(?:\?\.\s*)?\(/.test(code.slice(end, end + 20)) &&
        !/\b(?:def|function|class|new)\s+$/.test(code.slice(Math.max(0, start - 12), start)),
    )
    .map(({ start, end, call }) => ({ start, end, text: call }));
}

const nothing: Followed = { names: [], edits: [] };

/** What only looks at a function, or puts another one in its place. */
const onlyLooks =
  /(?:^|\.)(?:isinstance|issubclass|callable|id|repr|type|hasattr|getattr|setattr|wraps|update_wrapper|create_autospec|\w*Mock|object|signature|getsource|iscoroutinefunction|cast|help|dir|expect|mocked|spyOn|stub|replace|toBe|toEqual|equal|strictEqual|is|log|promisify|assert\w*)$/;

/** What becomes of one value; null where that can't be told. */
function follow(value: FunctionValue, program: ValueProgram): Followed | null {
  const place = placeOf(program.code, value, program.isPython);
  if (place.isDefinition) {
    return place.keyword === null ? nothing : asDefault(value, place.keyword, program);
  }
  if (place.bracket === '(' && place.callee !== null) {
    return onlyLooks.test(place.callee) ? nothing : isWholeItem(place) ? handed(value, place, program) : null;
  }
  if (place.bracket === '(' && place.index === 0 && isWholeItem(place) && program.code[place.itemEnd] === ')') {
    const inBrackets = { ...value, start: place.open, end: place.close + 1 };
    return calledAtOnce(value, place, program) ?? follow(inBrackets, program);
  }
  if (place.bracket === '[' && /[\w$]$/.test(program.code.slice(0, place.open))) {
    // `Optional[subprocess.Popen]`
    return nothing;
  }
  if ((place.bracket === '(' || place.bracket === '[') && isWholeItem(place)) {
    return inRow(value, place, program);
  }
  return bound(value, program) ?? inTable(value, place, program);
}

const around = (position: number, { functions }: ValueProgram): SourceFunction | undefined =>
  functions.findLast(({ start, end }) => start <= position && position < end);

/** A name that holds a function, within the function around or everywhere; none where one of that name is defined. */
function named(
  name: string,
  { call, start }: FunctionValue,
  program: ValueProgram,
  isWide = false,
): readonly HeldName[] {
  const scope = isWide ? undefined : around(start, program);
  const isTaken = program.functions.some((one) => one.name === name && one !== scope);
  return isTaken
    ? []
    : [{ pattern: plainName(name), call, from: scope?.start ?? 0, to: scope?.end ?? program.code.length }];
}

const everywhere = (pattern: string, { call }: FunctionValue, { code }: ValueProgram): HeldName => ({
  pattern,
  call,
  from: 0,
  to: code.length,
});

const asDefault = (value: FunctionValue, keyword: string, program: ValueProgram): Followed => ({
  names: named(keyword, value, program),
  edits: [],
});

/** `act = subprocess.run`, `self.run = run`, `run = staticmethod(subprocess.run)` */
function bound(value: FunctionValue, program: ValueProgram, position = value.start): Followed | null {
  const binding = boundBy(program.code, position);
  if (binding === null) {
    return null;
  }
  const field = everywhere(fieldName(binding.name), value, program);
  const isMember = around(position, program) === undefined;
  const plain = binding.isField ? [] : named(binding.name, value, program);
  return { names: binding.isField ? [field] : isMember ? [...plain, field] : plain, edits: [] };
}

/** `retry(subprocess.run, ["git", "push"])`, `pool.apply(os.system, ("git push",))`, `Runner(run=subprocess.run)` */
function handed(value: FunctionValue, place: ValuePlace, program: ValueProgram): Followed | null {
  const { source, code, isPython } = program;
  const written = writtenAt(source, code, place.open + 1) ?? [];
  const own = ownFunction(place.callee ?? '', program);
  const use = own === null ? null : usageOf(own, program, written, place.index, place.keyword);
  if (use?.kind === 'calls') {
    const calls = use.given.map((given) => `${value.call}(${given})`).join(', ');
    return { names: [], edits: [{ start: value.start, end: value.end, text: calls }] };
  }
  const atOnce = calledAtOnce(value, place, program);
  if (atOnce !== null) {
    return atOnce;
  }
  if (use?.kind === 'holds' && own !== null) {
    const { start, end } = own;
    return { names: [{ pattern: plainName(use.parameter), call: value.call, from: start, to: end }], edits: [] };
  }
  const later = written.slice(place.index + 1);
  const wrapped = later.every((text) => /^\s*\w+\s*=(?!=)/.test(text))
    ? bound(value, program, calleeAt(place, code))
    : null;
  if (wrapped !== null && (isWrapper.test(place.callee ?? '') || use?.kind === 'wraps' || later.length === 0)) {
    return wrapped;
  }
  const listed = later.findIndex((text) => /^\s*(?:args|kwargs)\s*=/.test(text));
  const isListed = place.keyword !== null || (listed >= 0 && !/^subprocess\./.test(value.call));
  if (isListed) {
    const list = later[listed];
    return list === undefined || /^\s*kw/.test(list)
      ? null
      : callWith(value, place, laterArguments(value.call, [list.replace(/^[^=]*=/, '')], isPython, true));
  }
  return later.length === 0 ? null : callWith(value, place, laterArguments(value.call, later, isPython));
}

const isWrapper = /(?:^|\.)(?:partial|staticmethod|classmethod|bind)$/;

const calleeAt = ({ open, callee }: ValuePlace, code: string): number =>
  open -
  (new RegExp(
    `${(callee ?? '')
      .split('')
      .map(() => '\\S\\s*')
      .join('')}$`,
  ).exec(code.slice(Math.max(0, open - 160), open))?.[0].length ?? 0);

const callWith = ({ end, call, start }: FunctionValue, { close }: ValuePlace, given: string): Followed => ({
  names: [],
  edits: [{ start, end: Math.max(end, close), text: `${call}(${given})` }],
});

/** `backoff(subprocess.run)(["git", "push"])`, `(print if dry else subprocess.run)(["git", "push"])` */
function calledAtOnce(value: FunctionValue, { close, itemEnd }: ValuePlace, { code }: ValueProgram): Followed | null {
  const [between] = itemEnd === close ? (/^\)\s*\(/.exec(code.slice(close, close + 20)) ?? []) : [];
  if (between === undefined) {
    return null;
  }
  const begin = close + between.length;
  const end = endOfBracket(code, begin);
  return {
    names: [],
    edits: [
      { start: value.start, end: begin, text: `${value.call}(` },
      { start: end, end, text: ')' },
    ],
  };
}

/** The function of the program that is called so, or the one that makes objects of a class. */
function ownFunction(callee: string, { code, functions }: ValueProgram): SourceFunction | null {
  const name = callee.split('.').at(-1)?.replace('#', '') ?? '';
  const makers = /^[\w$]+$/.test(name)
    ? code.search(new RegExp(`\\bclass\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`))
    : -1;
  return (
    functions.find((one) => one.name === name) ??
    (makers < 0
      ? null
      : (functions.find((one) => one.start > makers && /^(?:__init__|constructor)$/.test(one.name)) ?? null))
  );
}

/** `[(subprocess.run, ["git", "push"])]`, `for f in (subprocess.run, print)`, `[["git push", execSync]]` */
function inRow(value: FunctionValue, place: ValuePlace, program: ValueProgram): Followed | null {
  const { source, code, isPython } = program;
  const written = writtenAt(source, code, place.open + 1) ?? [];
  const front = code.slice(Math.max(0, place.open - 120), place.open);
  const [, each] = /\bfor\s*\(?\s*(?:const|let|var)?\s*([\w$]+)\s+(?:in|of)\s*$/.exec(front) ?? [];
  if (each !== undefined) {
    return { names: named(each, value, program), edits: [] };
  }
  const [, table] = /([\w$]+)\s*(?::[^=\n]*)?=\s*$/.exec(front) ?? [];
  if (table !== undefined && written.every((text) => /^\s*[\w$.]+\s*$/.test(text))) {
    return { names: [everywhere(memberName(table, '0'), value, program)], edits: [] };
  }
  const [later, before] = [written.slice(place.index + 1), written.slice(0, place.index)];
  const given = later.length > 0 ? later : before;
  return given.length === 0 ? null : callWith(value, place, laterArguments(value.call, given, isPython));
}

/** `OPS = {"sh": os.system}`, `makeGit({ exec: execSync })` */
function inTable(
  value: FunctionValue,
  { bracket, open, itemStart, before, keyword, behind }: ValuePlace,
  program: ValueProgram,
): Followed | null {
  if (bracket !== '{') {
    return null;
  }
  const { source, code } = program;
  if (keyword !== null && before.trim() === '') {
    return { names: named(keyword, value, program), edits: [] };
  }
  const written = source.slice(itemStart, value.start);
  const [, , text, plain] =
    /(?:^|[,{\n])\s*(?:(["'])([\w$-]+)\1|([\w$]+)|\[[^\]\n]*\])\s*:\s*(?:[^:;{}]*\?[^;{}]*)?$/.exec(written) ?? [];
  const shorthand = written.trim() === '' && /^\s*$/.test(behind) ? source.slice(value.start, value.end) : undefined;
  const key = text ?? plain ?? (/\]\s*:\s*$/.test(written) ? '' : shorthand);
  if (key === undefined) {
    return null;
  }
  const [, table] = /([\w$]+)\s*(?::[^=\n]*)?=\s*$/.exec(code.slice(Math.max(0, open - 120), open)) ?? [];
  if (table !== undefined) {
    return { names: [everywhere(memberName(table, key), value, program)], edits: [] };
  }
  const anyOwner = ownMethods.test(key)
    ? []
    : [everywhere(`(?<![\\w$.])[\\w$]+\\.${plainName(key).replace(/^\(.*?\]\)/, '')}`, value, program)];
  return key === ''
    ? null
    : {
        names: [...named(key, value, program, true), everywhere(fieldName(key), value, program), ...anyOwner],
        edits: [],
      };
}
