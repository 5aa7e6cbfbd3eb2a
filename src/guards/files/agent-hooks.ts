import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn, readText } from '../../git/files.ts';

/** Files in a work tree by which agents are told of their hooks. */
const settingsNames = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.codex/config.toml',
  '.cursor/hooks.json',
  '.gemini/settings.json',
  '.factory/hooks.json',
  '.factory/settings.json',
  '.factory/settings.local.json',
  '.qwen/settings.json',
];
/** Where any file with such an ending is one. */
const settingsFolders = [
  { folder: '.github/hooks', ending: '.json' },
  { folder: '.grok/hooks', ending: '.json' },
  { folder: '.opencode/plugin', ending: '' },
  { folder: '.opencode/plugins', ending: '' },
];
/** Where agents look for hooks in a work tree: files, and directories in which any file may be one. */
export const agentHookPlaces: readonly string[] = [...settingsNames, ...settingsFolders.map(({ folder }) => folder)];

const anyOf = (texts: readonly string[]) => texts.map((text) => text.replaceAll('.', '\\.')).join('|');
const inFolders = settingsFolders.map(({ folder, ending }) => `${anyOf([folder])}/[^/]+${anyOf([ending])}`);
const folders = settingsFolders.flatMap(({ folder }) => [folder, dirname(folder)]);
const settingsFile = new RegExp(`(?:^|/)(?:${[anyOf(settingsNames), ...inFolders].join('|')})$`);
/** The directories in which such files are. */
const settingsDirectory = new RegExp(`(?:^|/)(?:${anyOf([...settingsNames.map(dirname), ...folders])})$`);
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
  return settingsDirectory.test(path) && namesIn(path).some((name) => startsOwnHook(join(path, name)));
}

/** The files of agents' settings that are in a work tree. */
export function agentSettingsIn(workTree: string): readonly string[] {
  const single = settingsNames.map((name) => join(workTree, name)).filter((path) => existsSync(path));
  const inside = settingsFolders.flatMap(({ folder }) => {
    const directory = join(workTree, folder);
    return namesIn(directory).map((name) => join(directory, name));
  });
  return [...single, ...inside];
}

/** Would a text, or the program that writes it, switch an agent's hooks off in this file? Not every agent asks them then. */
export function switchesHooksOff(path: string, text: string): boolean {
  return settingsFile.test(path) && hooksOff.test(text);
}
