import type { Language } from './languages.ts';

const methods = String.raw`(?:\s*\.\s*(?:toString|trim|stdout|strip|rstrip|decode|text|quiet)(?:\((?:["']utf-?8["'])?\))?)*`;
const options = String.raw`(?:\s*,\s*(?:\{[^{}]*\}|\w+\s*=\s*[\w.]+|["']utf-?8["']))*\s*,?\s*`;
const quote = String.raw`["'\x60]`;
const words = String.raw`\[?\s*${quote}mktemp(?:\s+|${quote}\s*,\s*\[?\s*${quote})-d${quote}\s*\]?(?:\s*\.\s*split\(\s*\))?`;
const starters = 'exec|execSync|execFile|execFileSync|spawnSync|execa|execaSync|check_output|getoutput|run';
const call = String.raw`(?:(?:[\w$]+\s*\.\s*){0,3}(?:${starters})\s*\(\s*${words}${options}\)|\$\x60mktemp -d\x60)${methods}`;
/** A program starts `mktemp -d` and takes what it prints. */
const asking = new RegExp(String.raw`(?<![\w$.])(?:\(\s*await\s+${call}\s*\)${methods}|(?:await\s+)?${call})`, 'g');
/** zx makes a new directory by it, where Node.js tells the one of temporary files. */
const ofZx = /(?<![\w$.])tmpdir\s*\(\s*(?:["'`][\w-]*["'`])?\s*\)/g;

/** The source of a program with new directories made by the language itself that it makes by other means: `mktemp -d`. */
export function withAskedDirectories({ name }: Language, source: string, temporary: string | null): string {
  const maker =
    name === 'python' ? 'tempfile.mkdtemp()' : temporary === null ? null : `mkdtempSync('${temporary}/tmp.')`;
  if (maker === null || !/mktemp|tmpdir/.test(source)) {
    return source;
  }
  const made = source.replace(asking, () => maker);
  return name === 'zx' && !/["'](?:node:)?os["']/.test(source) ? made.replace(ofZx, () => maker) : made;
}
