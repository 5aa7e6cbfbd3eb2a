import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { homeDirectory, readText } from '../git/files.ts';
import type { Environment } from '../git/runner.ts';
import type { AgentName } from './dialect.ts';

/** A setting with which an agent starts no hooks. */
interface OffSwitch {
  readonly path: readonly string[];
  readonly off: boolean;
}

interface Switches {
  /** From the weakest to the strongest; `~` begins those of the person. */
  readonly files: readonly string[];
  readonly switches: readonly OffSwitch[];
}

const allOff: OffSwitch = { path: ['disableAllHooks'], off: true };

/**
 * Claude Code: https://code.claude.com/docs/en/hooks. Qwen Code and Gemini CLI: their settings' reference. Codex:
 * https://developers.openai.com/codex/config-reference.
 */
const switchesOf: Readonly<Partial<Record<AgentName, Switches>>> = {
  claude: {
    files: ['~/.claude/settings.json', '.claude/settings.json', '.claude/settings.local.json'],
    switches: [allOff],
  },
  qwen: { files: ['~/.qwen/settings.json', '.qwen/settings.json'], switches: [allOff] },
  copilot: { files: ['.github/hooks/oxide-guard.json'], switches: [allOff] },
  gemini: {
    files: ['~/.gemini/settings.json', '.gemini/settings.json'],
    switches: [
      { path: ['hooksConfig', 'enabled'], off: false },
      { path: ['tools', 'enableHooks'], off: false },
    ],
  },
  codex: {
    files: ['~/.codex/config.toml', '.codex/config.toml'],
    switches: [
      { path: ['features', 'hooks'], off: false },
      { path: ['features', 'codex_hooks'], off: false },
    ],
  },
};

/** What keeps an agent from starting hooks. */
export interface HooksOff {
  /** Absolute. */
  readonly file: string;
  /** `hooksConfig.enabled = false` */
  readonly setting: string;
}

/** The file by which an agent's hooks are switched off in a work tree, however well they are installed; null: none. */
export function hooksOff(agent: AgentName, workTree: string, env: Environment): HooksOff | null {
  const { files = [], switches = [] } = switchesOf[agent] ?? {};
  const texts = files.map((name) => {
    const file = name.startsWith('~/')
      ? join(personal(agent, env), name.slice(name.indexOf('/', 2)))
      : join(workTree, name);
    return { file, settings: settingsIn(file) };
  });
  for (const { path, off } of switches) {
    const found = texts.findLast(({ settings }) => typeof valueAt(settings, path) === 'boolean');
    if (found !== undefined && valueAt(found.settings, path) === off) {
      return { file: found.file, setting: `${path.join('.')} = ${off}` };
    }
  }
  return null;
}

/** Where an agent keeps what a person has set for all projects. */
function personal(agent: AgentName, env: Environment): string {
  const named = agent === 'claude' ? env.CLAUDE_CONFIG_DIR : agent === 'codex' ? env.CODEX_HOME : undefined;
  return named || join(env.HOME || homeDirectory(), `.${agent}`);
}

function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    settings,
  );
}

function settingsIn(file: string): unknown {
  const text = readText(file) ?? '';
  return file.endsWith('.toml') ? featuresIn(text) : parse(text, [], { allowTrailingComma: true });
}

/** Of TOML what matters here: `[features]` with booleans, `features.hooks = false`, `features = { hooks = false }`. */
function featuresIn(text: string): unknown {
  const features: Record<string, boolean> = {};
  let table = '';
  for (const line of text.split('\n')) {
    table = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? table;
    const inline = /^\s*features\s*=\s*\{(.*)\}/.exec(line)?.[1] ?? '';
    const pairs = table === 'features' ? line : (/^\s*features\s*\.\s*(.*)$/.exec(line)?.[1] ?? inline);
    for (const [, name = '', value] of pairs.replace(/#.*/, '').matchAll(/"?([\w-]+)"?\s*=\s*(true|false)\b/g)) {
      features[name] = value === 'true';
    }
  }
  return { features };
}
