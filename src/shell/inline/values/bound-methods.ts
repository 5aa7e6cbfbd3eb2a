import { writtenAt } from '../source/arguments.ts';
import { bracketAround, endOfBracket } from '../source/brackets.ts';
import { codeOf } from '../source/code.ts';
import { type Edit, withEdits } from './edits.ts';

/** `execSync.call(null, 'git push')`, `.apply(null, ['git push'])`, `.bind(null, 'git push')`: as a call of it. */
export function withMethodsCalled(source: string): string {
  const methods =
    /(?<![\w$])(?<name>(?:(?:child_process|childProcess|cp|fs)\s*\.\s*|require\([^()]*\)\s*\.\s*)?(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|(?:rm|rmdir|unlink|rename|chmod|writeFile)(?:Sync)?))\s*\.\s*(?<method>call|apply|bind)\s*\(/g;
  const code =
    source.includes('.call') || source.includes('.apply') || source.includes('.bind') ? codeOf(source, false) : '';
  const edits = Array.from(code.matchAll(methods), (match): Edit | null => {
    const { name = '', method = '' } = match.groups ?? {};
    const open = match.index + match[0].length;
    const close = endOfBracket(code, open);
    const [, ...given] = (writtenAt(source, code, open) ?? []).map((text) => text.trim());
    const [only = ''] = given;
    const isNamed = method === 'bind' && /=\s*$/.test(code.slice(Math.max(0, match.index - 5), match.index));
    const text =
      method !== 'apply'
        ? given.join(', ')
        : /^\[[\s\S]*\]$/.test(only)
          ? only.slice(1, -1)
          : only === ''
            ? ''
            : `...${only}`;
    return isNamed || (method === 'bind' && text === '')
      ? null
      : { start: match.index, end: close + 1, text: `${name}(${text})` };
  });
  return withEdits(
    source,
    edits.filter((edit) => edit !== null),
  );
}

/** `cp[name]('git push')`, `getattr(subprocess, name)(["git", "push"])`: as the likely one of these functions. */
export function withChosenMembers(source: string): string {
  return source
    .replace(/(?<![\w$.])(?:child_process|childProcess|cp)\s*\[\s*[A-Za-z_$][^\]\n]*\]\s*\(/g, 'execFileSync(')
    .replace(/(?<![\w$.])fs\s*\[[^\]\n]*(?:rm|unlink)[^\]\n]*\]\s*\(/g, 'rmSync(')
    .replace(/(?<![\w.])getattr\(\s*(subprocess|os)\s*,[^()\n]*\)\s*\(/g, (_, module) =>
      module === 'os' ? 'os.system(' : 'subprocess.run(',
    );
}

/** Python's `quietly(path.unlink)`, `quietly(path.write_text, "…")`, `quietly(Path.unlink, path)`: as a call of it. */
export function withBoundMethods(source: string): string {
  const own = source.replace(
    /\bPath\s*\.\s*(unlink|rmdir)\s*,\s*((?:[\w.]*Path\([^()\n]*\)|[\w.]+|\([^()\n]*\)))/g,
    '$2.$1()',
  );
  const methods = /(?=\.)(?<=[\w)]\s*)\.\s*(?:unlink|rmdir|write_text|write_bytes|chmod)\s*(?=[,)])/g;
  const code = own.search(methods) < 0 ? '' : codeOf(own, true);
  const edits = Array.from(code.matchAll(methods), (match): readonly Edit[] => {
    const end = match.index + match[0].length;
    const open = bracketAround(code, match.index);
    const isCall = open > 0 && /[\w)]\s*$/.test(code.slice(Math.max(0, open - 20), open));
    const close = isCall ? endOfBracket(code, open + 1) : end;
    return !isCall || /\b(?:os|shutil)\s*$/.test(code.slice(Math.max(0, match.index - 20), match.index))
      ? []
      : code[end] === ')'
        ? [{ start: end, end, text: '()' }]
        : [
            { start: end, end: end + 1, text: '(' },
            { start: close, end: close, text: ')' },
          ];
  });
  return withEdits(own, edits.flat());
}
