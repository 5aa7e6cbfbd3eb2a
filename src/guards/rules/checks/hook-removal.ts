import type { Policy } from '../../../config/policy.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { type Finding, findings } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';

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
  go: ['tool', 'run'],
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

const overwrites = (options: readonly string[]) => options.some((text) => /^(?:-f|--force|--overwrite)$/.test(text));
/** Calls of hook managers by which hooks go that are there. */
const overwriting: Readonly<Record<string, Overwriting>> = {
  'pre-commit': { verb: 'install', words: overwrites },
  prek: { verb: 'install', words: overwrites },
  lefthook: { verb: 'install', words: overwrites },
  overcommit: { verb: null, words: (options) => options.some((text) => /^(?:-u|--uninstall)$/.test(text)) },
  // It makes git look for hooks there: husky's own directory is the usual one.
  husky: {
    verb: 'install',
    words: (_, [directory]) => directory !== undefined && !/^(?:\.\/)?\.husky\/?$/.test(directory),
  },
};

/** A command that takes hooks away, or what they work by, or answers in a person's place. */
export interface HookRemoval {
  readonly tool: string;
  readonly verb: string;
  readonly takes: 'hooks' | 'package' | 'configuration' | 'checkpoints';
  /** A hook that it writes over, from the work tree's root: where that is not there, it takes nothing. */
  readonly over?: string;
}

/** Tools that print their help, and do nothing else, when asked for it; husky's old `uninstall` ignores the question. */
const helping = new Set(['oxide-guard', 'lefthook', 'pre-commit', 'prek']);

/** `oxide-guard approve --help`: nothing comes between the command and the question, and nothing after it. */
function asksForHelp(tool: string, verb: string, words: readonly Word[]): boolean {
  const texts = words.map(textOf);
  const at = texts.indexOf(verb);
  return (
    helping.has(tool) && !texts.includes(null) && at === texts.length - 2 && /^(?:--help|-h)$/.test(texts[at + 1] ?? '')
  );
}

const packageManagers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** npm-uninstall(1), with its other names; pnpm, yarn and bun know two of them. */
const uninstalling = new Set(['uninstall', 'un', 'unlink', 'remove', 'rm', 'r']);

/** `npm uninstall oxide-guard`, `npm pkg set oxide-guard.rules.force-push=off`; null for everything else. */
function readPackageChange(program: string, words: readonly Word[]): HookRemoval | null {
  if (!packageManagers.has(program)) {
    return null;
  }
  const plain = words.map((word) => textOf(word) ?? '').filter((text) => !text.startsWith('-'));
  // `bun pm pkg set`
  const [verb = '', ...operands] = plain[0] === 'pm' ? plain.slice(1) : plain;
  if (uninstalling.has(verb) && operands.some((name) => toolName(name) === 'oxide-guard')) {
    return { tool: program, verb: `${verb} oxide-guard`, takes: 'package' };
  }
  const [change = '', ...keys] = verb === 'pkg' ? operands : [];
  const isOurs = keys.some((key) => /^(?:oxide-guard|\["?oxide-guard"?\])(?:[.=[]|$)/.test(key));
  return isOurs && (change === 'set' || change === 'delete')
    ? { tool: program, verb: `pkg ${change}`, takes: 'configuration' }
    : null;
}

/** `codex features disable hooks`, `npm config set commit-hooks false`: no hooks are started from then on. */
function readSwitch(program: string, words: readonly Word[]): HookRemoval | null {
  const plain = words
    .map((word) => textOf(word) ?? '')
    .filter((text) => !text.startsWith('-'))
    .join(' ');
  const isOff =
    (packageManagers.has(program) &&
      /^(?:c(?:onfig)? )?set (?:\S+ )*?(?:version-)?commit-hooks[ =]false\b/.test(plain)) ||
    (program === 'codex' && /^features disable (?:codex_)?hooks$/.test(plain)) ||
    (program === 'claude' && /^config (?:set|add) disableAllHooks (?!false)/.test(plain));
  return isOff ? { tool: program, verb: plain, takes: 'hooks' } : null;
}

/** One may be all that is left of discarded work; without `--all` only those go that go by themselves, too. */
function prunesAll(words: readonly Word[]): boolean {
  const texts = words.map((word) => textOf(word) ?? '');
  return texts.some((text) => /^--all(?:=|$)/.test(text)) && !texts.some((text) => /^(?:--help|-h)$/.test(text));
}

/** Reads a program call; null where it is no such command. */
export function readHookRemoval(program: string, words: readonly Word[]): HookRemoval | null {
  const change = readPackageChange(program, words) ?? readSwitch(program, words);
  if (change !== null) {
    return change;
  }
  const [tool, verb, rest] = calledTool(program, words);
  if (tool === 'oxide-guard' && verb === 'checkpoint' && rest[0] === 'prune' && prunesAll(words)) {
    return { tool, verb: 'checkpoint prune --all', takes: 'checkpoints' };
  }
  if (tool === 'husky' && verb === 'init') {
    return { tool, verb, takes: 'hooks', over: '.husky/pre-commit' };
  }
  const row = tool !== null && Object.hasOwn(overwriting, tool) ? overwriting[tool] : undefined;
  const options =
    row === undefined ? [] : words.map((word) => textOf(word) ?? '').filter((text) => text.startsWith('-'));
  if (tool !== null && row !== undefined && row.verb === verb && row.words(options, rest)) {
    return { tool, verb: verb ?? 'uninstall', takes: 'hooks' };
  }
  const isRemoval =
    tool !== null && verb !== null && Object.hasOwn(removals, tool) && removals[tool]?.includes(verb) === true;
  return isRemoval && !asksForHelp(tool, verb, words) ? { tool, verb, takes: 'hooks' } : null;
}

const taken: Readonly<
  Record<Exclude<HookRemoval['takes'], 'checkpoints'>, { readonly what: string; readonly suggestion: string }>
> = {
  hooks: { what: 'takes away the hooks that check this repository', suggestion: 'oxide-guard doctor' },
  package: { what: 'takes away the package that checks this repository', suggestion: 'oxide-guard doctor' },
  configuration: { what: "changes the guard's own configuration", suggestion: 'oxide-guard config print' },
};

const keeping = new Set(['pre-commit', 'prek', 'lefthook']);

export function judgeHookRemoval({ tool, verb, takes }: HookRemoval, policy: Policy): readonly Finding[] {
  if (takes === 'checkpoints') {
    return findings('destroy-recovery', policy, {
      message: `${tool} ${verb} deletes every checkpoint: one may have the only copy of discarded work.`,
      suggestion: `${tool} checkpoint prune`,
    });
  }
  return findings(
    'skip-checks',
    policy,
    verb === 'approve'
      ? {
          message: `${tool} approve answers in place of the person who must.`,
          suggestion: 'Ask the person to run it in their own terminal.',
        }
      : {
          message: `${tool} ${verb} ${taken[takes].what}.`,
          // Without the option that overwrites them, hooks that are there are kept.
          suggestion: verb === 'install' && keeping.has(tool) ? `${tool} install` : taken[takes].suggestion,
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
  const name = word.slice(word.lastIndexOf('/') + 1);
  const plain = name.includes('@') ? name.replace(/@.*$/, '') : name;
  return plain.endsWith('js') ? plain.replace(/\.[cm]?js$/, '') : plain;
}
