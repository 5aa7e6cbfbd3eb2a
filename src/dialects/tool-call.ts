import { isAbsolute, resolve } from 'node:path';
import { singleQuoted } from '../quote.ts';
import type { Parsed, Payload, ToolCall } from './dialect.ts';
import { fileCommand } from './file-call.ts';

/** What the agents call the tool that runs a shell command, in any letter case. */
const shellTools: ReadonlySet<string> = new Set([
  'bash',
  'shell',
  'execute',
  'run_shell_command',
  'run_in_terminal',
  'run_terminal_cmd',
  'run_terminal_command',
  'runterminalcommand',
  'local_shell',
  'exec_command',
  'unified_exec',
  // Grok, Qwen Code and Claude Code: runs a command in the background and tells what it prints.
  'monitor',
  'powershell',
]);

/** What the agents call the tools that write a file, in any letter case. */
const fileTools: ReadonlySet<string> = new Set([
  'write',
  'create',
  'edit',
  'multiedit',
  'multi_edit',
  'write_file',
  'writefile',
  'create_file',
  'edit_file',
  'replace',
  'str_replace',
  'str_replace_editor',
  'search_replace',
  'apply_patch',
  'applypatch',
  'patch',
]);

export function isShellTool(name: string): boolean {
  return shellTools.has(name.toLowerCase());
}

function isFileTool(name: string): boolean {
  return fileTools.has(name.toLowerCase());
}

/** The parts of a payload that name a tool call, wherever the dialect keeps them. */
export interface CallFields {
  readonly event: ToolCall['event'];
  readonly tool: unknown;
  /** The tool's arguments: an object, or the same as a JSON string. */
  readonly input: unknown;
  readonly cwd: unknown;
  /** Names of the arguments by which the agent's tool takes a directory; a model may make up others, which do nothing. */
  readonly directories?: readonly string[];
  readonly session: unknown;
  readonly id?: unknown;
  readonly follows?: boolean;
  readonly unattended?: boolean;
  readonly keptShell?: ToolCall['keptShell'];
}

/** A shell command out of a tool call, or the one that writes what a file tool would; any other tool is not ours. */
export function shellCall(fields: CallFields): Parsed {
  if (typeof fields.tool !== 'string') {
    return 'malformed';
  }
  if (!isShellTool(fields.tool)) {
    return isFileTool(fields.tool) ? fileCall(fields) : 'not-ours';
  }
  const input = asObject(fields.input);
  const command = commandOf(input ?? {});
  if (input === null || command === null) {
    return 'malformed';
  }
  const own = fields.directories?.map((name) => input[name]).find((value) => value != null);
  return { ...withoutShell(fields, command, directoryOf(fields.cwd, own)), keptShell: fields.keptShell ?? null };
}

/** What can't be read is let through: these tools write what they like in most places. */
function fileCall(fields: CallFields): Parsed {
  const cwd = directoryOf(fields.cwd, undefined);
  const command = fileCommand(asObject(fields.input) ?? {}, cwd ?? '.');
  return command === null ? 'not-ours' : withoutShell(fields, command, cwd);
}

function withoutShell(fields: CallFields, command: string, cwd: string | null): ToolCall {
  return {
    event: fields.event,
    command,
    cwd,
    session: textOf(fields.session),
    id: textOf(fields.id),
    follows: fields.follows === true,
    unattended: fields.unattended === true,
    keptShell: null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An object, also one that was sent as its JSON text. */
export function asObject(value: unknown): Payload | null {
  if (typeof value === 'string') {
    try {
      return asObject(JSON.parse(value) as unknown);
    } catch {
      return null;
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
}

/** A command line, or an argument vector as some shells' tools take it (`["bash", "-lc", "…"]`). */
function commandOf(input: Payload): string | null {
  const command = input.command ?? input.cmd;
  if (typeof command === 'string') {
    return command;
  }
  const isVector = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  return isVector ? command.map(singleQuoted).join(' ') : null;
}

/** The tool's own directory, relative to the session's. */
function directoryOf(session: unknown, own: unknown): string | null {
  const base = typeof session === 'string' && session !== '' ? session : null;
  if (typeof own !== 'string' || own === '') {
    return base;
  }
  return isAbsolute(own) || base === null ? own : resolve(base, own);
}
