import { readFileSync } from 'node:fs';
import { isRegularFile } from '../git/files.ts';
import { anyPrograms, isOurs, settingsPath } from './agent-installation.ts';
import type { AgentName } from './dialect.ts';
import { agentSetups, type SettingsEntry } from './hook-settings.ts';
import { elementsAt } from './settings-text.ts';

/** Is the hook in this agent's settings, and which command does it run there? Null: it is not. */
export function installedCommand(agent: AgentName, workTree: string): string | null {
  const path = settingsPath(agent, workTree);
  const text = isRegularFile(path) ? readFileSync(path, 'utf8') : '';
  const plain = text.replace(/\\(["\\])/g, '$1');
  const marker = new RegExp(`"([^"\\n]*agent\\.cjs['\\\\]* --agent ${agent}(?: --again)?'?)"`);
  return agent === 'opencode' ? commandOfPlugin(text) : (marker.exec(plain)?.[1] ?? null);
}

function commandOfPlugin(text: string): string | null {
  const [, node] = /^const program = (".*");$/m.exec(text) ?? [];
  const [, hook] = /^const hook = (".*");$/m.exec(text) ?? [];
  return node === undefined || hook === undefined ? null : `${node} ${hook} --agent opencode`;
}

/**
 * Does an agent's hook hear of every tool that an installation by this version would let it hear of? Programs, time-outs
 * and whatever else a person has changed there are theirs.
 */
export function hearsAll(agent: AgentName, workTree: string): boolean {
  const text = readFileSync(settingsPath(agent, workTree), 'utf8');
  const settings = agentSetups[agent].settings(anyPrograms, workTree);
  return settings.kind === 'file'
    ? withoutPrograms(text) === withoutPrograms(settings.content)
    : settings.entries.every((entry) => isHeard(entry, agent, text));
}

function isHeard({ path, element }: SettingsEntry, agent: AgentName, text: string): boolean {
  const ours = elementsAt(text, path).filter(isOurs(agent));
  const heard = new Set(ours.flatMap((one) => toolsOf(one)));
  return ours.length > 0 && (heard.has('*') || toolsOf(element).every((tool) => heard.has(tool)));
}

/** The tools of a matcher: a list of names in all that is written here. */
function toolsOf(element: unknown): readonly string[] {
  const { matcher } = element as { readonly matcher?: unknown };
  return typeof matcher !== 'string' || matcher === '' ? ['*'] : matcher.replace(/^\^?\(?|\)?\$?$/g, '').split('|');
}

/** Which node runs which hook is told elsewhere. */
function withoutPrograms(text: string): string {
  return text
    .replace(/"(?:[^"\\\n]|\\.)*agent\.cjs(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/^const (?:program|hook) = .*$/gm, '');
}
