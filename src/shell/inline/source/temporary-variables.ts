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
