import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../git/files.ts';

const settingsFile =
  /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|\.codex\/(?:hooks\.json|config\.toml)|\.github\/hooks\/[^/]+\.json|\.cursor\/hooks\.json|\.gemini\/settings\.json|\.factory\/(?:hooks|settings(?:\.local)?)\.json|\.opencode\/plugins?\/[^/]+|\.qwen\/settings\.json|\.grok\/hooks\/[^/]+\.json)$/;
/** The directories in which such files are. */
const settingsDirectory =
  /(?:^|\/)\.(?:claude|codex|cursor|gemini|factory|qwen|(?:github|grok)(?:\/hooks)?|opencode(?:\/plugins?)?)$/;
/** What keeps the hooks in such a file, or in another one of the same agent, from being started. */
const hooksOff =
  /\bdisableAllHooks\b(?!\W{0,6}false)|\b(?:codex_)?hooks["']?\s*=\s*false\b|\benableHooks\b\W{0,6}false|\bhooks\b\W{1,8}\benabled\b\W{0,6}false|\bhooksConfig\b[^}]{0,200}?\b(?:enabled\b\W{0,6}false|disabled\b)/;
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
