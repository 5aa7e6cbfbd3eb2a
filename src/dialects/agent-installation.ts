import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OxideError } from '../errors.ts';
import { writeAtomically } from '../githooks/atomic-file.ts';
import type { AgentName } from './dialect.ts';
import { agentSetups, type HookPrograms, type HookSettings } from './hook-settings.ts';
import { addEntries, removeEntries } from './settings-text.ts';

/** Where an installation stands. */
export interface InstallationPlace {
  /** The top of the work tree. */
  readonly workTree: string;
  /** The work tree's own: keeps the record of what was there before. */
  readonly gitDir: string;
}

/** What was done, or would be, for one agent. */
export interface AgentChange {
  readonly agent: AgentName;
  /** Absolute. */
  readonly path: string;
  readonly change: 'written' | 'updated' | 'unchanged' | 'removed' | 'restored' | 'cleaned' | 'absent';
  readonly notice: string | null;
}

/** What an installation found and wrote: the way back, byte for byte, as long as nobody has changed the file since. */
interface InstallationRecord {
  /** Null: there was no file. */
  readonly original: string | null;
  readonly written: string;
  /** Directories that were made for it, the innermost first. */
  readonly directories: readonly string[];
}

/**
 * Puts the hook into an agent's settings for this work tree. Does nothing where it is there already.
 *
 * @throws OxideError `settings-unreadable` naming the file, which stays as it is
 */
export function installAgent(
  agent: AgentName,
  place: InstallationPlace,
  programs: HookPrograms,
  dryRun: boolean,
): AgentChange {
  const setup = agentSetups[agent];
  const settings = setup.settings(programs);
  const path = join(place.workTree, settings.file);
  const present = readText(path);
  const wanted = settings.kind === 'file' ? settings.content : withEntries(present, settings, path, agent);
  const report = (change: AgentChange['change']): AgentChange => ({ agent, path, change, notice: setup.notice });
  if (present === wanted) {
    return report('unchanged');
  }
  if (!dryRun) {
    const before = readRecord(place, agent);
    const isAsLeft = before !== null && before.written === present;
    const directories = isAsLeft ? before.directories : missingDirectories(place.workTree, path);
    mkdirSync(dirname(path), { recursive: true });
    writeRecord(place, agent, { original: isAsLeft ? before.original : present, written: wanted, directories });
    writeSettings(path, wanted);
  }
  return report(present === null ? 'written' : 'updated');
}

/** Takes the hook out of an agent's settings: the file as it was, or, where it was changed since, without our entries. */
export function uninstallAgent(agent: AgentName, place: InstallationPlace, dryRun: boolean): AgentChange {
  const { settings } = agentSetups[agent];
  // Entries are told by what they run, not by which node runs it.
  const { file } = settings({ node: 'node', hook: 'agent.cjs' });
  const path = join(place.workTree, file);
  const present = readText(path);
  const record = readRecord(place, agent);
  const report = (change: AgentChange['change']): AgentChange => ({ agent, path, change, notice: null });
  const next = present === null ? null : textWithout(agent, present, record, path);
  if (present === null || next === present) {
    return report('absent');
  }
  if (!dryRun) {
    if (next === null) {
      rmSync(path);
      removeDirectories(place.workTree, record?.directories ?? []);
    } else {
      writeSettings(path, next);
    }
    rmSync(recordPath(place, agent), { force: true });
  }
  if (next === null) {
    return report('removed');
  }
  return report(next === record?.original ? 'restored' : 'cleaned');
}

/** Is the hook in this agent's settings, and which command does it run there? Null: it is not. */
export function installedCommand(agent: AgentName, workTree: string): string | null {
  const { file } = agentSetups[agent].settings({ node: 'node', hook: 'agent.cjs' });
  const text = readText(join(workTree, file)) ?? '';
  const plain = text.replace(/\\(["\\])/g, '$1');
  const marker = new RegExp(`"((?:NODE_EXTRA_CA_CERTS= exec )?[^"\\n]*agent\\.cjs'? --agent ${agent})"`);
  return agent === 'opencode' ? commandOfPlugin(text) : (marker.exec(plain)?.[1] ?? null);
}

function commandOfPlugin(text: string): string | null {
  const [, node] = /^const program = (".*");$/m.exec(text) ?? [];
  const [, hook] = /^const hook = (".*");$/m.exec(text) ?? [];
  return node === undefined || hook === undefined ? null : `${node} ${hook} --agent opencode`;
}

/** An element of an agent's settings that starts the guard for it. */
function isOurs(agent: AgentName): (element: unknown) => boolean {
  return (element) => new RegExp(`hook[/\\\\]+agent\\.cjs.* --agent ${agent}\\b`).test(JSON.stringify(element) ?? '');
}

function withEntries(
  text: string | null,
  { entries, defaults }: Extract<HookSettings, { kind: 'entries' }>,
  path: string,
  agent: AgentName,
): string {
  return naming(path, () => {
    const body = (text ?? '').replace(/^\uFEFF/, '');
    const mark = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
    return mark + addEntries(body, entries, defaults, isOurs(agent));
  });
}

/** @returns null where the whole file was ours */
function textWithout(
  agent: AgentName,
  present: string,
  record: InstallationRecord | null,
  path: string,
): string | null {
  if (record !== null && record.written === present) {
    return record.original;
  }
  const settings = agentSetups[agent].settings({ node: 'node', hook: 'agent.cjs' });
  if (settings.kind === 'file') {
    return present.includes('oxide-guard') || isOurs(agent)(present) ? null : present;
  }
  return naming(path, () => removeEntries(present, settings.entries, isOurs(agent)));
}

function naming<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof OxideError && error.code === 'settings-unreadable') {
      throw new OxideError('settings-unreadable', `${path}: ${error.message} It was left as it is.`, {
        remedy: 'Correct the file, then run this again.',
      });
    }
    throw error;
  }
}

/** Through a symbolic link, which many people have to a directory of their own. */
function writeSettings(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  writeAtomically(target, text, existsSync(target) ? statSync(target).mode & 0o777 : 0o644);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

function missingDirectories(workTree: string, path: string): readonly string[] {
  const missing: string[] = [];
  for (let directory = dirname(path); directory !== workTree && !existsSync(directory); ) {
    missing.push(directory.slice(workTree.length + 1));
    directory = dirname(directory);
  }
  return missing;
}

function removeDirectories(workTree: string, directories: readonly string[]): void {
  for (const directory of directories) {
    try {
      rmdirSync(join(workTree, directory));
    } catch {
      return; // somebody has put something there since
    }
  }
}

function recordPath({ gitDir }: InstallationPlace, agent: AgentName): string {
  return join(gitDir, 'oxide-guard', 'agents', `${agent}.json`);
}

function readRecord(place: InstallationPlace, agent: AgentName): InstallationRecord | null {
  try {
    const record = JSON.parse(readFileSync(recordPath(place, agent), 'utf8')) as Partial<InstallationRecord>;
    const { original = null, written, directories = [] } = record;
    return typeof written === 'string' ? { original, written, directories } : null;
  } catch {
    return null;
  }
}

function writeRecord(place: InstallationPlace, agent: AgentName, record: InstallationRecord): void {
  const path = recordPath(place, agent);
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, JSON.stringify(record), 0o600);
}
