import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OxideError } from '../errors.ts';
import { isRegularFile, isSymbolicLink, kindOf } from '../git/files.ts';
import { removeLeftovers, writeAtomically } from '../githooks/atomic-file.ts';
import { quoteWord } from '../quote.ts';
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

/** Entries are told by what they run, not by which node runs it. */
export const anyPrograms: HookPrograms = { node: 'node', hook: 'agent.cjs' };

/** The file in which an agent's hook is installed. */
export function settingsPath(agent: AgentName, workTree: string): string {
  return join(workTree, agentSetups[agent].settings(anyPrograms, workTree).file);
}

/**
 * Puts the hook into an agent's settings for this work tree. Does nothing where it is there already. Call it under the
 * lock of installations.
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
  const settings = setup.settings(programs, place.workTree);
  const path = join(place.workTree, settings.file);
  const link = linkInTheWay(agent, place.workTree);
  if (link !== null) {
    throw new OxideError(
      'settings-unreadable',
      `${link} is a symbolic link, and the agent reads no settings through one.`,
      {
        remedy: `ls -ld ${quoteWord(link)}`,
      },
    );
  }
  const present = readSettings(path);
  const wanted = settings.kind === 'file' ? settings.content : withEntries(present, settings, path, agent);
  const report = (change: AgentChange['change']): AgentChange => ({ agent, path, change, notice: setup.notice });
  if (present === wanted) {
    return report('unchanged');
  }
  if (!dryRun) {
    const before = readRecord(place, agent);
    const isAsLeft = before !== null && before.written === present;
    const original = isAsLeft ? before.original : withoutOurs(agent, present, place.workTree);
    const directories = isAsLeft ? before.directories : missingDirectories(place.workTree, path);
    mkdirSync(dirname(path), { recursive: true });
    removeLeftovers(dirname(path), basename(path));
    if (settings.kind === 'file' && !isAsLeft) {
      keepEdited(place, agent, present);
    }
    writeRecord(place, agent, { original, written: wanted, directories });
    writeSettings(path, wanted);
  }
  return report(present === null ? 'written' : 'updated');
}

/** Takes the hook out of an agent's settings: the file as it was, or, where it was changed since, without our entries. */
export function uninstallAgent(agent: AgentName, place: InstallationPlace, dryRun: boolean): AgentChange {
  const path = settingsPath(agent, place.workTree);
  const record = readRecord(place, agent);
  const present = record === null && !mentionsUs(path) ? null : readSettings(path);
  const report = (change: AgentChange['change']): AgentChange => ({ agent, path, change, notice: null });
  const isAsLeft = present !== null && record?.written === present;
  const next = isAsLeft ? record.original : withoutOurs(agent, present, place.workTree);
  if (present === null || next === present) {
    return report('absent');
  }
  if (!dryRun) {
    removeLeftovers(dirname(path), basename(path));
    if (next === null) {
      if (!isAsLeft) {
        keepEdited(place, agent, present);
      }
      rmSync(path);
      removeDirectories(place.workTree, record?.directories ?? []);
    } else {
      writeSettings(path, next);
    }
    rmSync(recordPath(place, agent), { force: true });
    removeLeftovers(dirname(recordPath(place, agent)));
    removeDirectories(place.gitDir, ['oxide-guard/agents', 'oxide-guard']);
  }
  if (next === null) {
    return report('removed');
  }
  return report(next === record?.original ? 'restored' : 'cleaned');
}

/** The symbolic link for which an agent does not read its settings; null where there is none, or it reads them. */
export function linkInTheWay(agent: AgentName, workTree: string): string | null {
  const { settings, readsNoLinks } = agentSetups[agent];
  const names = readsNoLinks === true ? settings(anyPrograms, workTree).file.split('/') : [];
  const paths = names.map((_, index) => join(workTree, ...names.slice(0, index + 1)));
  return paths.find((path) => isSymbolicLink(path)) ?? null;
}

/** An element of an agent's settings that starts the guard for it. */
export function isOurs(agent: AgentName): (element: unknown) => boolean {
  return (element) => new RegExp(`hook[/\\\\]+agent\\.cjs.* --agent ${agent}\\b`).test(JSON.stringify(element) ?? '');
}

function withEntries(
  text: string | null,
  { entries, defaults }: Extract<HookSettings, { kind: 'entries' }>,
  path: string,
  agent: AgentName,
): string {
  return edited(path, text ?? '', (body) => addEntries(body, entries, defaults, isOurs(agent)));
}

/** What an agent's settings are without the guard; null where nothing is left. */
function withoutOurs(agent: AgentName, present: string | null, workTree: string): string | null {
  const settings = agentSetups[agent].settings(anyPrograms, workTree);
  if (present === null) {
    return null;
  }
  if (settings.kind === 'file') {
    return ours.test(present) ? null : present;
  }
  // What does not name the guard need not be readable.
  return ours.test(present)
    ? edited(join(workTree, settings.file), present, (body) => removeEntries(body, settings.entries, isOurs(agent)))
    : present;
}

const ours = /agent\.cjs|oxide-guard/;

/** A text without its byte order mark, worked on, with it again; an error names the file. */
function edited(path: string, text: string, work: (body: string) => string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  try {
    return mark + work(text.slice(mark.length));
  } catch (error) {
    const isUnreadable = error instanceof OxideError && error.code === 'settings-unreadable';
    // Objects within each other, deeper than can be read.
    const isTooDeep = error instanceof RangeError;
    if (isUnreadable || isTooDeep) {
      const why = isTooDeep ? 'its objects lie too deep within each other.' : error.message;
      throw new OxideError('settings-unreadable', `${path}: ${why} It was left as it is.`, {
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

/**
 * A settings file's text; null where there is none.
 *
 * @throws OxideError `settings-unreadable` where there is something else
 */
function readSettings(path: string): string | null {
  if (isRegularFile(path)) {
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) {
      throw new OxideError('settings-unreadable', `${path} is not in UTF-8. It was left as it is.`, {
        remedy: `iconv -f latin1 -t utf-8 ${quoteWord(path)}   # or from what it is in`,
      });
    }
    return bytes.toString('utf8');
  }
  const directory = dirname(path);
  if (kindOf(directory) !== null && kindOf(directory) !== 'directory') {
    throw new OxideError('settings-unreadable', `${directory} is no directory. It was left as it is.`, {
      remedy: `ls -ld ${quoteWord(directory)}`,
    });
  }
  if (kindOf(path) === null && !isSymbolicLink(path)) {
    return null;
  }
  const what = isSymbolicLink(path) ? 'a symbolic link to nothing that could be read' : 'no regular file';
  throw new OxideError('settings-unreadable', `${path} is ${what}. It was left as it is.`, {
    remedy: `ls -ld ${quoteWord(path)}`,
  });
}

/** May the guard be in there? Files that are none of our business need not be readable. */
function mentionsUs(path: string): boolean {
  return isRegularFile(path) && ours.test(readFileSync(path, 'utf8'));
}

/** A file of ours that somebody has changed is kept beside the record before it is written anew or removed. */
function keepEdited(place: InstallationPlace, agent: AgentName, present: string | null): void {
  if (present !== null) {
    const path = `${recordPath(place, agent)}.edited`;
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, present, 0o600);
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
  removeLeftovers(dirname(path));
  writeAtomically(path, JSON.stringify(record), 0o600);
}
