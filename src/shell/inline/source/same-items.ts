import { bracketStep, endOfBracket } from './brackets.ts';
import { codeOf } from './code.ts';

/** An expression that gives the items of a list as they are, in their order. */
export interface SameItems {
  /** The list, as it is written. */
  readonly of: string;
  /** Items that are empty are left out: `filter(Boolean)`. */
  readonly withoutEmpty: boolean;
}

const name = String.raw`[A-Za-z_$][\w$]*`;

/** `list(args)`, `map(str, args)`, `filter(None, args)`, `Array.from(args)`: what stands before the list. */
const callOfList =
  /^(?:(?:list|tuple|iter|Array\s*\.\s*from)\s*\(|map\s*\(\s*(?:str|os\s*\.\s*fspath)\s*,|(?<filters>filter)\s*\(\s*(?:None|bool|len)\s*,)\s*/;

/** `args.map(String)`, `args.flat()`, `args.filter((a) => a)`: what stands behind the list. */
const methodOfList = new RegExp(
  String.raw`\s*\.\s*(?:map\(\s*(?:String|\(?\s*(?<mapped>${name})\s*\)?\s*=>\s*(?:String\(\s*\k<mapped>\s*\)|\k<mapped>(?:\s*\.\s*toString\(\s*\))?|\x60\$\{\s*\k<mapped>\s*\}\x60))\s*\)|flat\(\s*(?:\d+|Infinity)?\s*\)|slice\(\s*0?\s*\)|copy\(\s*\)|(?<filters>filter)\(\s*(?:Boolean|\(?\s*(?<kept>${name})\s*\)?\s*=>\s*(?:!!\s*)?\k<kept>(?:\s*!==?\s*(?:null|undefined|''|""))?)\s*\))$`,
);

/** `str(a) for a in args if a`, between brackets or as all that a call is given. */
const comprehension = new RegExp(
  String.raw`^(?:(?:str|os\s*\.\s*fspath)\(\s*(?<converted>${name})\s*\)|f(?<quote>["'])\{\s*(?<formatted>${name})\s*\}\k<quote>|(?<plain>${name}))\s+for\s+(?<each>${name})\s+in\s+(?<of>[\s\S]+?)(?:\s+if\s+(?<kept>${name})(?:\s*!=\s*(?:''|"")|\s+is\s+not\s+None)?)?$`,
);

/** The list of which an expression gives the items; null where it makes others of them, or is the list itself. */
export function sameItemsIn(written: string): SameItems | null {
  const text = written.trim();
  const call = callOfList.exec(text);
  const behind = methodOfList.exec(text);
  if (call !== null && endsAtLast(text, text.indexOf('('))) {
    const of = text.slice(call[0].length, -1);
    return of.trim() === '' ? null : { of, withoutEmpty: call.groups?.filters !== undefined };
  }
  if (behind !== null) {
    return { of: text.slice(0, behind.index), withoutEmpty: behind.groups?.filters !== undefined };
  }
  const inner = /^[[(]/.test(text) && endsAtLast(text, 0) ? text.slice(1, -1).trim() : text;
  const { converted, formatted, plain, each, of, kept } = comprehension.exec(inner)?.groups ?? {};
  const isSame = each !== undefined && each === (converted ?? formatted ?? plain) && (kept ?? each) === each;
  return isSame && of !== undefined && isOneValue(of) ? { of, withoutEmpty: kept !== undefined } : null;
}

/** Does the bracket there close at the end of the text? */
const endsAtLast = (text: string, open: number): boolean =>
  endOfBracket(codeOf(text, false), open + 1) === text.length - 1;

/** No further loop or condition follows in it. */
function isOneValue(written: string): boolean {
  let level = 0;
  const outer = codeOf(written, false).replace(/[\s\S]/g, (character) => {
    const step = bracketStep(character);
    level += step;
    return level === 0 && step === 0 ? character : '_';
  });
  return level === 0 && !/,|\b(?:for|if|in)\b/.test(outer);
}
