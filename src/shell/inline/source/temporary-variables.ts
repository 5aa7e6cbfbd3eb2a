import type { Language } from './languages.ts';
import { textsIn } from './texts.ts';

/** How programs of a language make a new directory and use its name. */
interface Making {
  /** A variable is given it, or a block's parameter. */
  readonly made: RegExp;
  /** Where a variable of that name is given a value, also as a parameter. */
  readonly given: (name: string) => RegExp;
  /** Where it stands for its value, in texts, too. */
  readonly used: (name: string) => RegExp;
  /** The beginning of a function, up to its body. */
  readonly opening: RegExp;
  /** Where a variable is given what a function returns. */
  readonly called: (name: string) => RegExp;
}

/** Ruby's Dir.mktmpdir, where it is not told another place: https://docs.ruby-lang.org/en/master/Dir.html#method-c-mktmpdir */
const ruby: Making = {
  made: /\bDir\s*\.\s*mktmpdir\b(?:\(\s*(?:"[^"]*"|'[^']*'|nil|\[[^\][()]*\])?\s*\)|\s+(?:"[^"]*"|'[^']*'))?\s*(?:\{|do)\s*\|\s*(?<block>[a-z_]\w*)\s*\||(?<![\w.])(?<variable>[a-z_]\w*)\s*=\s*(?:Dir\s*\.\s*mktmpdir\b(?:\(\s*(?:"[^"]*"|'[^']*'|nil|\[[^\][()]*\])?\s*\))?|(?:`mktemp -d`|%x[({[]mktemp -d[)}\]])\s*\.\s*(?:chomp|strip))(?=\s*(?:[;\n#]|$))/g,
  given: (name) =>
    new RegExp(
      String.raw`(?<![\w.])${name}\s*(?:[-+*/|&]|\|\||<<)?=(?![=~>])|\|[^|\n]*\b${name}\b[^|\n]*\||\bdef\s[^\n]*\b${name}\b|\bfor\s+${name}\b`,
      'g',
    ),
  used: (name) => new RegExp(String.raw`#\{\s*${name}\s*\}|(?<![\w.:@$])${name}(?![\w?!(]|\s*:(?!:))`, 'g'),
  opening: /(?<=^|\n)(?<indent>[ \t]*)def[ \t]+(?<name>[a-z_]\w*)[^\n]*/g,
  called: (name) =>
    new RegExp(
      String.raw`(?<![\w.])(?<variable>[a-z_]\w*)\s*=\s*${name}\b(?:\([^()\n]*\))?(?=[ \t]*(?:[;\n#]|$))`,
      'g',
    ),
};

/** Perl's File::Temp; without `TMPDIR => 1` a template is a path of its own: https://perldoc.perl.org/File::Temp */
const perl: Making = {
  made: /(?<![\w$])(?:chomp\s*\(\s*)?(?:my\s+)?\$(?<variable>\w+)\s*=\s*(?:(?:File::Temp(?:::|->))?(?:tempdir|newdir)\b(?:\s*\((?:\s*(?:CLEANUP|EXLOCK|TMPDIR)\s*=>\s*[01]\s*,?|(?=[^()]*\bTMPDIR\s*=>\s*1)\s*(?:TEMPLATE\s*=>\s*)?(?:"[^"/]*"|'[^'/]*')\s*,?)*\s*\))?|`mktemp -d`|qx[({[]mktemp -d[)}\]])\s*\)?(?=\s*(?:;|$))/g,
  given: (name) =>
    new RegExp(
      String.raw`\$${name}\s*(?:[-+*/|&.x]|\|\||//)?=(?![=~>])|\((?:[^()]*,)?\s*\$${name}\s*(?:,[^()]*)?\)\s*=|\bfor(?:each)?\s+(?:my\s+)?\$${name}\b`,
      'g',
    ),
  used: (name) => new RegExp(String.raw`\$(?:${name}\b|\{${name}\})(?!\s*(?:->|[[{]))`, 'g'),
  opening: /\bsub\s+(?<name>\w+)\s*\{/g,
  called: (name) =>
    new RegExp(
      String.raw`(?<![\w$])(?:my\s+)?\$(?<variable>\w+)\s*=\s*&?${name}\b\s*(?:\([^()]*\))?(?=\s*(?:;|$))`,
      'g',
    ),
};

/** PHP has no function of its own for it. */
const php: Making = {
  made: /\$(?<variable>\w+)\s*=\s*(?:sys_get_temp_dir\s*\(\s*\)\s*\.[^;\n]*\b(?:uniqid|bin2hex|random_bytes|random_int|mt_rand|getmypid)\b[^;\n]*|(?:trim|rtrim)\s*\(\s*(?:shell_exec\s*\(\s*["']mktemp -d["']\s*\)|exec\s*\(\s*["']mktemp -d["']\s*\)|`mktemp -d`)\s*\)|exec\s*\(\s*["']mktemp -d["']\s*\))(?=\s*(?:;|$))/g,
  given: (name) =>
    new RegExp(
      String.raw`\$${name}\s*(?:[-+*/|&.]|\?\?)?=(?![=>])|\bfunction\b[^{]*\$${name}\b|\bas\s+(?:\$\w+\s*=>\s*)?\$${name}\b`,
      'g',
    ),
  used: (name) => new RegExp(String.raw`\{\$${name}\}|\$\{?${name}\b\}?(?!\s*(?:->|\[))`, 'g'),
  opening: /\bfunction\s+(?<name>\w+)\s*\([^{}]*\{/g,
  called: (name) => new RegExp(String.raw`\$(?<variable>\w+)\s*=\s*${name}\s*\([^()]*\)(?=\s*(?:;|$))`, 'g'),
};

/** More variables than this are not followed. */
const maximumVariables = 30;

const makings: Readonly<Record<string, Making>> = { ruby, perl, php };

/**
 * The source of a program of Ruby, Perl or PHP with a literal in the place of each variable that is given a new
 * directory, and nothing else. Positions change.
 *
 * @param newPath the next new directory's name
 */
export function withTemporaryVariables(language: Language, source: string, newPath: () => string): string {
  const making = makings[language.name];
  if (making === undefined || !/mktmpdir|tempdir|newdir|mktemp|sys_get_temp_dir/.test(source)) {
    return source;
  }
  return Array.from(source.matchAll(making.made))
    .slice(0, maximumVariables)
    .reduce(
      (written, { groups }) =>
        withPath(language, written, groups?.block ?? groups?.variable ?? '', making.made, newPath()),
      source,
    );
}

/**
 * `repo = new_repo`, where the function gives back a new directory, and nothing else: its name in the place of the
 * variable. Positions change.
 */
export function withReturnedVariables(language: Language, source: string): string {
  const making = makings[language.name];
  return making === undefined
    ? source
    : Array.from(source.matchAll(making.opening))
        .slice(0, maximumVariables)
        .reduce((written, opening) => {
          const { name = '', indent } = opening.groups ?? {};
          const path = returnedAtEnd(bodyBehind(source, opening.index + opening[0].length, indent));
          const called = making.called(name);
          return path !== null && definitionsOf(name, source) === 1
            ? Array.from(written.matchAll(called)).reduce(
                (text, call) => withPath(language, text, call.groups?.variable ?? '', called, path),
                written,
              )
            : written;
        }, source);
}

/** What a function does. @param indent of Ruby, before `def` and `end`; undefined: it ends with its bracket */
function bodyBehind(source: string, start: number, indent: string | undefined): string {
  if (indent !== undefined) {
    return source.slice(start, Math.max(start, source.indexOf(`\n${indent}end`, start)));
  }
  let level = 1;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at];
    level += character === '{' ? 1 : character === '}' ? -1 : 0;
    if (level === 0) {
      return source.slice(start, at);
    }
  }
  return '';
}

/** More than the last statement of a function that gives back a directory. */
const longestEnd = 1000;

/** The new directory that a function gives back at its end, and nothing before; null: there is none. */
function returnedAtEnd(body: string): string | null {
  const end = body.trimEnd().slice(-longestEnd);
  const [whole, path = ''] = atEnd.exec(end) ?? [];
  const isOne = whole !== undefined && !/\breturn\b/.test(body.slice(0, body.lastIndexOf(whole)));
  return isOne ? path : null;
}

const atEnd =
  /(?<=[;\n}{][ \t]{0,80})(?:return\b[ \t]{0,8}\(?[ \t]{0,8})?'([^'\n\\]*\boxide-guard-\d+[^'\n\\]*)'[ \t]{0,8}\)?[ \t]{0,8};?$/;

function definitionsOf(name: string, source: string): number {
  return source.match(new RegExp(String.raw`\b(?:def|sub|function)\s+(?:self\.)?${name}\b`, 'g'))?.length ?? 0;
}

/** A variable that is given a path below such a directory. */
const below: Readonly<Record<string, RegExp>> = {
  ruby: /(?<![\w.])(?<variable>[a-z_]\w*)\s*=\s*(["'])(?<path>[^"'\n\\]*\boxide-guard-\d+[^"'\n\\#]*)\2(?=\s*(?:[;\n#]|$))/g,
  perl: /\$(?<variable>\w+)\s*=\s*(["'])(?<path>[^"'\n\\]*\boxide-guard-\d+[^"'\n\\$@]*)\2(?=\s*(?:;|$))/g,
  php: /\$(?<variable>\w+)\s*=\s*(["'])(?<path>[^"'\n\\]*\boxide-guard-\d+[^"'\n\\$]*)\2(?=\s*(?:;|$))/g,
};

/** The same for variables that are given a path below. */
export function withVariablesBelow(language: Language, source: string): string {
  const pattern = below[language.name] ?? /(?!)/g;
  return Array.from(source.matchAll(pattern))
    .slice(0, maximumVariables)
    .reduce(
      (written, { groups }) => withPath(language, written, groups?.variable ?? '', pattern, groups?.path ?? ''),
      source,
    );
}

/**
 * The program still makes the directory; from there on its name stands in the place of the variable.
 *
 * @param pattern finds where the variable is given it; it may be given nothing else
 */
function withPath(language: Language, source: string, name: string, pattern: RegExp, path: string): string {
  const making = makings[language.name];
  const made = Array.from(source.matchAll(pattern)).find(({ groups }) => (groups?.block ?? groups?.variable) === name);
  const texts = textsIn(language, source);
  if (made === undefined || texts === null || source.match(making?.given(name) ?? /(?!)/)?.length !== 1) {
    return source;
  }
  const from = made.index + made[0].length;
  const written = source.slice(from).replace(making?.used(name) ?? /(?!)/, (use, ...rest) => {
    const at = Number(rest.find((one) => typeof one === 'number'));
    const isText = texts[from + at] === true;
    return /^#\{/.test(use) || (isText && use.includes('$')) ? path : isText ? use : `'${path}'`;
  });
  return source.slice(0, from) + written;
}
