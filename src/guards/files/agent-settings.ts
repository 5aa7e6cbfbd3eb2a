import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../git/files.ts';
import type { Aftermath } from './manifest.ts';

const settingsFile =
  /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|\.codex\/(?:hooks\.json|config\.toml)|\.github\/hooks\/[^/]+\.json|\.cursor\/hooks\.json|\.gemini\/settings\.json|\.factory\/(?:hooks|settings)\.json|\.opencode\/plugins?\/[^/]+|\.qwen\/settings\.json|\.grok\/hooks\/[^/]+\.json)$/;
/** The directories in which such files are. */
const settingsDirectory =
  /(?:^|\/)\.(?:claude|codex|cursor|gemini|factory|qwen|(?:github|grok)(?:\/hooks)?|opencode(?:\/plugins?)?)$/;
/** What keeps the hooks in such a file, or in another one of the same agent, from being started. */
const hooksOff = /\bdisableAllHooks\b|\b(?:codex_)?hooks\s*=\s*false\b/;
/** The guard by its package's name or, where it was installed from somewhere else, by its hook's program. */
const ownHook = /oxide-guard|dist\/hook\/agent\.cjs/;

/** Is this a file, or a directory with files, by which an agent starts the guard's hook? */
export function startsOwnHook(path: string): boolean {
  if (settingsFile.test(path)) {
    return ownHook.test(readText(path) ?? '');
  }
  return settingsDirectory.test(path) && entriesOf(path).some((name) => startsOwnHook(join(path, name)));
}

const settingsNames = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.cursor/hooks.json',
  '.gemini/settings.json',
  '.factory/hooks.json',
  '.factory/settings.json',
  '.qwen/settings.json',
];
/** Where any file is one. */
const settingsFolders = ['.github/hooks', '.grok/hooks', '.opencode/plugin', '.opencode/plugins'];

/** The files of agents' settings that are in a work tree. */
export function agentSettingsIn(workTree: string): readonly string[] {
  const single = settingsNames.map((name) => join(workTree, name)).filter((path) => existsSync(path));
  const folders = settingsFolders.map((name) => join(workTree, name));
  return [...single, ...folders.flatMap((folder) => entriesOf(folder).map((name) => join(folder, name)))];
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Would a text, or the program that writes it, switch an agent's hooks off in this file? Not every agent asks them then. */
export function switchesHooksOff(path: string, text: string): boolean {
  return settingsFile.test(path) && hooksOff.test(text);
}

/**
 * Does an agent start the same hooks by a file of settings after it was written, in the same environment? Then the rest
 * (what it may run without a question, its model) is nobody's business. What is no JSON counts as changed.
 *
 * @param path absolute
 */
export function keepsHooks(path: string, { text }: Aftermath): boolean {
  const [before, after] = [readText(path), text].map((settings) => (settings === null ? null : hooksIn(settings)));
  return before !== null && before === after;
}

/** Keys, wherever they stand, of hooks, of what brings them or switches them off, and of what they are given. */
const concernsHooks = /hook|plugin|^env$/i;

/** Null where there are none. */
function hooksIn(settings: string): string | null {
  try {
    const found = entriesBelow(JSON.parse(settings), '');
    return found.length === 0 ? null : found.sort().join('\n');
  } catch {
    return null;
  }
}

function entriesBelow(value: unknown, path: string): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        concernsHooks.test(key) ? [`${path}/${key}: ${JSON.stringify(inner)}`] : entriesBelow(inner, `${path}/${key}`),
      )
    : [];
}
