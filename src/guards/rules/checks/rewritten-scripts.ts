import type { Policy } from '../../../config/policy.ts';
import type { SimpleCommand } from '../../../shell/simple-command.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { World } from '../../world.ts';
import { unreadable } from '../unreadable-command.ts';

const managers: ReadonlySet<string> = new Set(['npm', 'yarn', 'pnpm', 'bun']);
const verbs: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn']);
/** Scripts that npm runs under other names than their own. */
const short: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };
const changing =
  /\bgit\s+(?:-\S+\s+)*(?:push|reset|checkout|switch|restore|clean|stash|branch|commit|rebase|rm|config|update-ref|reflog|gc|worktree|tag|remote)\b/;

/** The script of a package.json that a program is told to run; null: none. */
export function scriptRun(program: string, words: SimpleCommand['argv']): string | null {
  const texts = words.map((word) => textOf(word) ?? '');
  if (program === 'node') {
    const at = texts.findIndex((text) => /^--run(?:=|$)/.test(text));
    return texts[at]?.replace(/^--run=?/, '') || (texts[at + 1] ?? null);
  }
  const [first, second] = texts.filter((text) => !text.startsWith('-'));
  const name = first !== undefined && verbs.has(first) ? second : first;
  return !managers.has(program) || name === undefined ? null : (short[name] ?? name);
}

/**
 * `jq '.scripts.x = "git push -f"' package.json > p && mv p package.json && npm run x`: a script that a program of this line has
 * written, of which nothing is known but that the program names it and says such a command.
 */
export function judgeRewrittenScript(
  script: string,
  { cwd }: SimpleCommand,
  policy: Policy,
  world: World,
): readonly Finding[] {
  const isNamed = new RegExp(`[.\\["'](?:pre|post)?${script.replace(/\W/g, '\\$&')}(?![\\w:-])`);
  const written = [...world.writtenTexts].flatMap(([path, text]) =>
    text === null && path.endsWith('/package.json') ? [path] : [],
  );
  const source = written.find((path) => {
    const isAbove = cwd.kind === 'unknown' || `${cwd.path}/`.startsWith(path.slice(0, -'package.json'.length));
    const writer = isAbove ? world.writers.of(path) : '';
    return changing.test(writer) && isNamed.test(writer);
  });
  return source === undefined
    ? []
    : unreadable(policy, { source, reason: 'what this line writes to it is not known', could: 'scripts that run git' });
}
