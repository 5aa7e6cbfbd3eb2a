import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../githooks/package-place.ts';
import { fastStart } from '../node-start.ts';
import { quoteWord } from '../quote.ts';
import type { AgentName } from './dialect.ts';
import { droidHooksFile } from './droid-hooks-file.ts';

/** How the agents start the hook: both absolute, because they start it from anywhere and with any PATH. */
export interface HookPrograms {
  readonly node: string;
  /** `dist/hook/agent.cjs` of the package. */
  readonly hook: string;
}

/** One element of an array in an agent's settings. */
export interface SettingsEntry {
  readonly path: readonly string[];
  readonly element: unknown;
}

/** Where an agent keeps its hooks, and what is written there. */
export type HookSettings =
  /** Elements among others in a file that is the user's. */
  | {
      readonly kind: 'entries';
      readonly file: string;
      readonly entries: readonly SettingsEntry[];
      /** Fields the agent wants in the file, set where they are absent. */
      readonly defaults: Readonly<Record<string, unknown>>;
    }
  /** A file of our own. */
  | { readonly kind: 'file'; readonly file: string; readonly content: string };

export interface AgentSetup {
  readonly settings: (programs: HookPrograms, workTree: string) => HookSettings;
  /** Directories, in the repository or the home directory, and programs that show that somebody uses the agent. */
  readonly directories: readonly string[];
  readonly programs: readonly string[];
  /** What the user still has to do. */
  readonly notice: string | null;
  /** The agent reads no settings that a symbolic link in the work tree leads to. */
  readonly readsNoLinks?: true;
}

/** Seconds after which the agent gives up on the hook; the hook itself denies after 8. */
const timeout = 10;

/**
 * NODE_EXTRA_CA_CERTS makes every start of node read the certificates, which costs more than the judgement. NODE_OPTIONS
 * is meant for other programs: a module that it names may be gone, so that node does not start, or print. What stands
 * after `||` is for a node that does not know `fastStart`, in words that every shell reads in the same way, fish too.
 */
export function hookCommand(agent: AgentName, { node, hook }: HookPrograms): string {
  const program = quoteWord(node);
  const call = `${quoteWord(hook)} --agent ${agent}`;
  return process.platform === 'win32'
    ? `${program} ${call}`
    : `NODE_EXTRA_CA_CERTS= NODE_OPTIONS= ${program} ${fastStart} ${call} || exec env NODE_OPTIONS= ${program} ${call} --again`;
}

/**
 * As one word of one command: some versions of Cursor put the call behind the command as a here-document, of which only
 * the last program of a list would read.
 */
function inOneShell(command: string): string {
  return process.platform === 'win32' ? command : `exec /bin/sh -c ${quoteWord(command)}`;
}

/** The group of matchers that Claude Code introduced and most others took over. */
function group(agent: AgentName, matcher: string, programs: HookPrograms, { time = timeout, more = {} } = {}): unknown {
  return { matcher, hooks: [{ type: 'command', command: hookCommand(agent, programs), timeout: time, ...more }] };
}

function entries(file: string, found: readonly SettingsEntry[], defaults = {}): HookSettings {
  return { kind: 'entries', file, entries: found, defaults };
}

function document(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Every agent's setup; docs/agents.md names the sources. */
export const agentSetups: Readonly<Record<AgentName, AgentSetup>> = {
  claude: {
    settings: (programs) =>
      entries(
        '.claude/settings.json',
        ['PreToolUse', 'PermissionRequest'].map((event) => ({
          path: ['hooks', event],
          // Without it a command passes when the hook is killed at its time-out. Claude Code before 2.1.295 ignores it.
          element: group('claude', 'Bash|PowerShell|Write|Edit|MultiEdit', programs, { more: { onFailure: 'block' } }),
        })),
      ),
    directories: ['.claude'],
    programs: ['claude'],
    notice: null,
  },
  codex: {
    settings: (programs) =>
      entries(
        '.codex/hooks.json',
        ['PreToolUse', 'PermissionRequest'].map((event) => ({
          path: ['hooks', event],
          element: group('codex', '^(Bash|apply_patch)$', programs),
        })),
      ),
    directories: ['.codex'],
    programs: ['codex'],
    notice: 'Codex runs hooks only when you trust them: start codex here, open /hooks and trust this one.',
  },
  copilot: {
    settings: (programs) => ({
      kind: 'file',
      file: '.github/hooks/oxide-guard.json',
      content: document({
        version: 1,
        hooks: { preToolUse: [{ type: 'command', bash: hookCommand('copilot', programs), timeoutSec: timeout }] },
      }),
    }),
    directories: ['.copilot', '.github/hooks'],
    programs: ['copilot'],
    notice: 'In prompt mode (-p) Copilot CLI reads a repository’s hooks only in trusted folders.',
  },
  cursor: {
    settings: (programs) =>
      entries(
        '.cursor/hooks.json',
        [
          {
            path: ['hooks', 'beforeShellExecution'],
            element: { command: inOneShell(hookCommand('cursor', programs)), timeout, failClosed: true },
          },
        ],
        { version: 1 },
      ),
    directories: ['.cursor'],
    programs: ['cursor', 'cursor-agent'],
    notice: null,
    readsNoLinks: true,
  },
  gemini: {
    settings: (programs) =>
      entries('.gemini/settings.json', [
        {
          path: ['hooks', 'BeforeTool'],
          element: group('gemini', '^(run_shell_command|write_file|replace)$', programs, { time: timeout * 1000 }),
        },
      ]),
    directories: ['.gemini'],
    programs: ['gemini'],
    notice: 'Gemini CLI runs a project’s hooks only in folders that you trust.',
  },
  droid: {
    settings: (programs, workTree) => {
      const { file, path } = droidHooksFile(workTree);
      return entries(file, [
        {
          path: [...path, 'PreToolUse'],
          element: group('droid', 'Execute|Create|Edit|MultiEdit|ApplyPatch', programs),
        },
      ]);
    },
    directories: ['.factory'],
    programs: ['droid'],
    notice: null,
  },
  opencode: {
    settings: (programs) => ({
      kind: 'file',
      file: '.opencode/plugins/oxide-guard.js',
      content: opencodePlugin(programs),
    }),
    directories: ['.opencode', '.config/opencode'],
    programs: ['opencode'],
    notice: null,
  },
  qwen: {
    settings: (programs) =>
      entries('.qwen/settings.json', [
        {
          path: ['hooks', 'PreToolUse'],
          element: group('qwen', '^(Shell|Bash|run_shell_command|Monitor|monitor|write_file|edit|replace)$', programs, {
            time: timeout * 1000,
          }),
        },
      ]),
    directories: ['.qwen'],
    programs: ['qwen'],
    notice: null,
  },
  grok: {
    settings: (programs) => ({
      kind: 'file',
      file: '.grok/hooks/oxide-guard.json',
      content: document({
        hooks: { PreToolUse: [group('grok', 'Bash|Monitor|monitor|Write|Edit|MultiEdit', programs)] },
      }),
    }),
    directories: ['.grok'],
    programs: ['grok'],
    notice: 'Grok runs a project’s hooks only when you trust the folder: /hooks-trust.',
  },
};

/** The plugin as the package ships it, with absolute programs: OpenCode may be started from anywhere. */
function opencodePlugin({ node, hook }: HookPrograms): string {
  return readFileSync(join(packageRoot(), 'plugins', 'opencode', 'oxide-guard.js'), 'utf8')
    .replace(/^import \{ fileURLToPath \}.*\n/m, '')
    .replace(/^const program = .*$/m, () => `const program = ${JSON.stringify(node)};`)
    .replace(/^const hook = .*$/m, () => `const hook = ${JSON.stringify(hook)};`);
}
