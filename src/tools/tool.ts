import { resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import type { Environment } from '../git/runner.ts';
import type { QuestionPort } from '../ui/question.ts';
import { type FileAction, fileFailure, isErrnoException } from './file-failure.ts';
import type { SessionFiles } from './session-files.ts';
import type { Sandbox, Subagents, Tasks, Timeline } from './session-ports.ts';
import { type ToolInput, type Validation, validateInput } from './tool-input.ts';
import { failure, type ToolResult } from './tool-result.ts';

/** A JSON Schema object, draft 7: the subset that model providers accept. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * `reads`: changes nothing; may run beside other reads. `changes`: files, processes or the session; runs alone, after
 * a checkpoint. `asks`: puts a question to the person; runs alone, changes nothing.
 */
export type ToolEffect = 'reads' | 'changes' | 'asks';

/** A path that an input would touch: absolute, not yet checked, symbolic links not resolved. */
export interface FileAccess {
  readonly path: string;
  readonly access: 'read' | 'write';
  /** All that the file will hold, where the input says so. */
  readonly text?: string;
  /** What an edit takes out of the file and puts there. */
  readonly edited?: string;
}

/** What every execution gets besides its input. */
export interface ToolContext {
  /** Absolute directory from which relative paths are resolved. */
  readonly cwd: string;
  /** Absolute directories in which file tools may work, `cwd`'s project first. Everything else is refused. */
  readonly roots: readonly string[];
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly questions: QuestionPort;
  /** Takes output as it comes, for tools that run long. */
  readonly progress?: (text: string) => void;
  /** Confines the command lines of this call; absent: none does, or a person has allowed this call without. */
  readonly sandbox?: Sandbox;
  /** Asked by tools that read many files, with absolute paths: what it says no to is left out. Absent: all may be read. */
  readonly mayRead?: (path: string) => boolean;
  /** Takes the directory in which a command ended, by its `cd`: an existing one within the roots, the next call's `cwd`. */
  readonly changeDirectory?: (directory: string) => void;
}

/** A command line that an input would run in a shell: what the git guard judges. */
export interface ShellCommand {
  readonly command: string;
  /** The input asks for no sandbox: needs a confirmation of its own. */
  readonly unsandboxed: boolean;
}

/** One of the things that a tool does, where it does several. */
export interface ToolAction {
  /** As permission rules name it: `project(delete)`. */
  readonly name: string;
  readonly effect: ToolEffect;
}

/** The part of a session that tools see. */
export interface ToolSession {
  readonly id: string;
  /** Who acts: `agent`, or a subagent's id; the author of the versions it writes. */
  readonly author: string;
  readonly files: SessionFiles;
  /** Absent where the session has none: subagents too deep, or a tool used outside of the loop. */
  readonly subagents?: Subagents;
  readonly tasks?: Tasks;
  readonly timeline?: Timeline;
}

export interface Tool {
  readonly name: string;
  /** For the model: what the tool does, when to use it. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonSchema;
  /** What a call may do at most. */
  readonly effect: ToolEffect;
  /** Which of the tool's actions an input asks for; null: none that it has. Absent: the tool does one thing. */
  action?(input: unknown): ToolAction | null;
  /** Checks an input; what it gives is valid again, so an input changed by a hook can be checked anew. */
  validate(input: unknown): Validation;
  /** The paths a valid input would touch; none for an invalid one. For permission rules and checkpoints. */
  touches(input: unknown, cwd: string): readonly FileAccess[];
  /** The command line that a valid input would run; null when it runs none. Absent: the tool never runs one. */
  shellCommand?(input: unknown): ShellCommand | null;
  /** Validates and runs. Never rejects: whatever goes wrong is a failure. */
  execute(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A tool that sees and changes files through the session: what was read, versions, virtual files. */
export interface SessionTool extends Tool {
  executeWithSession(input: unknown, context: ToolContext, session: ToolSession): Promise<ToolResult>;
}

/** What a call with this input may do at most. */
export function effectOf(tool: Tool, input: unknown): ToolEffect {
  return tool.action?.(input)?.effect ?? tool.effect;
}

export function isSessionTool(tool: Tool): tool is SessionTool {
  return 'executeWithSession' in tool;
}

/** Runs a tool with the session when it wants one. The loop's only way into a tool. */
export function executeTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  session: ToolSession | null,
): Promise<ToolResult> {
  return session !== null && isSessionTool(tool)
    ? tool.executeWithSession(input, context, session)
    : tool.execute(input, context);
}

interface ToolDeclaration<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly schema: Schema;
  /** A valid input, shown when an input is not. */
  readonly example: z.input<Schema>;
  /** Paths as the input names them, relative ones relative to the working directory. */
  readonly touches?: (input: z.output<Schema>) => readonly FileAccess[];
  readonly shellCommand?: (input: z.output<Schema>) => ShellCommand | null;
}

export interface ToolDefinition<Schema extends z.ZodType> extends ToolDeclaration<Schema> {
  readonly run: (input: z.output<Schema>, context: ToolContext) => Promise<ToolResult>;
}

export interface SessionToolDefinition<Schema extends z.ZodType> extends ToolDeclaration<Schema> {
  /** `session` is null when the tool is used outside of any: then it works on the disk. */
  readonly run: (input: z.output<Schema>, context: ToolContext, session: ToolSession | null) => Promise<ToolResult>;
}

/** Makes a tool of a zod schema and a function: validation, JSON Schema and the catching of errors are the same for all. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  return {
    ...declare(definition),
    execute: (input, context) => runValidated(definition, input, context, (valid) => definition.run(valid, context)),
  };
}

/** Like {@link defineTool}, for tools that work on the session's files. */
export function defineSessionTool<Schema extends z.ZodType>(definition: SessionToolDefinition<Schema>): SessionTool {
  const run = (input: unknown, context: ToolContext, session: ToolSession | null) =>
    runValidated(definition, input, context, (valid) => definition.run(valid, context, session));
  return {
    ...declare(definition),
    execute: (input, context) => run(input, context, null),
    executeWithSession: run,
  };
}

function declare<Schema extends z.ZodType>(definition: ToolDeclaration<Schema>): Omit<Tool, 'execute'> {
  const { name, description, effect, schema, example, touches, shellCommand } = definition;
  return {
    name,
    description,
    effect,
    parameters: jsonSchema(schema),
    validate: (input) => {
      const validation = validateInput(name, schema, example, input);
      return validation.ok ? { ok: true, input: validation.input as ToolInput } : validation;
    },
    touches: (input, cwd) => {
      const parsed = schema.safeParse(input);
      const accesses = parsed.success ? (touches?.(parsed.data) ?? []) : [];
      return accesses.map((access) => ({ ...access, path: resolve(cwd, access.path) }));
    },
    ...(shellCommand === undefined
      ? {}
      : {
          shellCommand: (input: unknown) => {
            const parsed = schema.safeParse(input);
            return parsed.success ? shellCommand(parsed.data) : null;
          },
        }),
  };
}

async function runValidated<Schema extends z.ZodType>(
  { name, effect, schema, example }: ToolDeclaration<Schema>,
  input: unknown,
  context: ToolContext,
  run: (valid: z.output<Schema>) => Promise<ToolResult>,
): Promise<ToolResult> {
  const validation = validateInput(name, schema, example, input);
  if (!validation.ok) {
    return validation.failure;
  }
  if (context.signal.aborted) {
    return interrupted(name);
  }
  try {
    return await run(validation.input);
  } catch (error) {
    return context.signal.aborted ? interrupted(name) : caught(name, error, effect === 'changes' ? 'write' : 'read');
  }
}

function interrupted(name: string): ToolResult {
  return failure('interrupted', `${name} was interrupted before it finished.`);
}

function caught(name: string, error: unknown, action: FileAction): ToolResult {
  if (error instanceof OxideError) {
    return failure(error.code, error.message, error.remedy === null ? {} : { remedy: error.remedy });
  }
  if (isErrnoException(error) && error.path !== undefined) {
    return fileFailure(error, error.path, action);
  }
  return failure('tool-broken', `${name} broke: ${messageOf(error)}`, {
    remedy: 'This is a fault of the tool, not of the input. Try another way.',
  });
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return rest;
}
