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

interface Overwriting {
  readonly verb: string | null;
  readonly words: (options: readonly string[], operands: readonly string[]) => boolean;
}

const overwrites = (options: readonly string[]) => options.some((text) => /^(?:-f|--overwrite)$/.test(text));
/** Calls of hook managers by which hooks go that are there. */
const overwriting: Readonly<Record<string, Overwriting>> = {
  'pre-commit': { verb: 'install', words: overwrites },
  prek: { verb: 'install', words: overwrites },
  overcommit: { verb: null, words: (options) => options.some((text) => /^(?:-u|--uninstall)$/.test(text)) },
  // It makes git look for hooks there: husky's own directory is the usual one.
  husky: {
    verb: 'install',
    words: (_, [directory]) => directory !== undefined && !/^(?:\.\/)?\.husky\/?$/.test(directory),
  },
};

/** A command that takes hooks away or answers in a person's place. */
export interface HookRemoval {
  readonly tool: string;
  readonly verb: string;
}

/** Reads a program call; null where it is no such command. */
export function readHookRemoval(program: string, words: readonly Word[]): HookRemoval | null {
  const [tool, verb, rest] = calledTool(program, words);
  const row = tool !== null && Object.hasOwn(overwriting, tool) ? overwriting[tool] : undefined;
  const options =
    row === undefined ? [] : words.map((word) => textOf(word) ?? '').filter((text) => text.startsWith('-'));
  if (tool !== null && row !== undefined && row.verb === verb && row.words(options, rest)) {
    return { tool, verb: verb ?? 'uninstall' };
  }
  const isRemoval =
    tool !== null && verb !== null && Object.hasOwn(removals, tool) && removals[tool]?.includes(verb) === true;
  return isRemoval ? { tool, verb } : null;
}

export function judgeHookRemoval({ tool, verb }: HookRemoval, policy: Policy): readonly Finding[] {
  return findings(
    'skip-checks',
    policy,
    verb === 'approve'
      ? {
          message: `${tool} approve answers in place of the person who must.`,
          suggestion: 'Ask the person to run it in their own terminal.',
        }
      : {
          message: `${tool} ${verb} takes away the hooks that check this repository.`,
          suggestion: `${tool} --help`,
        },
  );
}

function calledTool(
  program: string,
  words: readonly Word[],
): readonly [tool: string | null, verb: string | null, rest: readonly string[]] {
  const own = toolName(program);
  const isLauncher = Object.hasOwn(launchers, program);
  if (!Object.hasOwn(removals, own) && !Object.hasOwn(overwriting, own) && !isLauncher) {
    return [null, null, []];
  }
  const plain = words.map((word) => textOf(word) ?? '').filter((text) => !text.startsWith('-'));
  if (!isLauncher) {
    return [own, plain[0] ?? null, plain.slice(1)];
  }
  const verbs = launchers[program] ?? [];
  const [tool = '', verb, ...rest] = verbs.length > 0 && verbs.includes(plain[0] ?? '') ? plain.slice(1) : plain;
  return [toolName(tool), verb ?? null, rest];
}

/** `oxide-guard@latest`, `./node_modules/oxide-guard/bin/oxide-guard.js`. */
function toolName(word: string): string {
  const name = word.split('/').at(-1) ?? '';
  const plain = name.includes('@') ? name.replace(/@.*$/, '') : name;
  return plain.endsWith('js') ? plain.replace(/\.[cm]?js$/, '') : plain;
}
