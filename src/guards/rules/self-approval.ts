import type { Policy } from '../../config/policy.ts';
import type { Word } from '../../shell/simple-command.ts';
import { type Finding, findings } from '../finding.ts';
import { textOf } from '../git-command/words.ts';

/** Programs that start a package's command by its name. */
const launchers: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  pnpx: [],
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx', 'run'],
  bun: ['x', 'run'],
  node: [],
};

/** Commands of hook managers that take the hooks away. */
const removals: Readonly<Record<string, readonly string[]>> = {
  'oxide-guard': ['uninstall', 'approve'],
  husky: ['uninstall'],
  lefthook: ['uninstall'],
  'pre-commit': ['uninstall'],
  prek: ['uninstall'],
};

/** A command that removes the hooks, or answers in a person's place. */
export function judgeSelfApproval(program: string, words: readonly Word[], policy: Policy): readonly Finding[] {
  const [name, verb] = calledTool(program, words);
  if (name === null || verb === null || !(Object.hasOwn(removals, name) && removals[name]?.includes(verb))) {
    return [];
  }
  return findings('skip-checks', policy, {
    message:
      verb === 'approve'
        ? `${name} approve answers in place of the person who must.`
        : `${name} uninstall takes away the hooks that check this repository.`,
    suggestion: verb === 'approve' ? 'Ask the person to run it in their own terminal.' : `${name} --help`,
  });
}

/** Is this a call that {@link judgeSelfApproval} looks at? */
export function mayBeHookManager(program: string): boolean {
  return Object.hasOwn(removals, program) || Object.hasOwn(launchers, program);
}

function calledTool(program: string, words: readonly Word[]): readonly [string | null, string | null] {
  const texts = words.map((word) => textOf(word) ?? '');
  const plain = texts.filter((text) => !text.startsWith('-'));
  if (Object.hasOwn(removals, program)) {
    return [program, plain[0] ?? null];
  }
  if (!Object.hasOwn(launchers, program)) {
    return [null, null];
  }
  const verbs = launchers[program] ?? [];
  const [tool = '', verb] = verbs.length > 0 && verbs.includes(plain[0] ?? '') ? plain.slice(1) : plain;
  return [toolName(tool), verb ?? null];
}

/** `oxide-guard@latest`, `./node_modules/oxide-guard/bin/oxide-guard.js`. */
function toolName(word: string): string {
  const name = word.split('/').at(-1) ?? '';
  return name.replace(/@.*$/, '').replace(/\.[cm]?js$/, '');
}
