import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSessionFiles, type SessionFilesOptions } from '../../src/tools/session-files.ts';
import { executeTool, type Tool, type ToolContext, type ToolSession } from '../../src/tools/tool.ts';
import type { ToolFailure, ToolSuccess } from '../../src/tools/tool-result.ts';
import { nobodyToAsk } from '../../src/ui/question.ts';
import { temporaryDirectory } from '../git/fixture.ts';

/** A fresh directory with these files, and the context of a session that works there. */
export function workspace(files: Readonly<Record<string, string | Buffer>> = {}): {
  readonly root: string;
  readonly context: ToolContext;
} {
  const root = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, context: contextIn(root) };
}

export function contextIn(root: string): ToolContext {
  return {
    cwd: root,
    roots: [root],
    env: process.env,
    signal: new AbortController().signal,
    questions: nobodyToAsk('this is a test'),
  };
}

export function session(options: SessionFilesOptions = {}, author = 'agent'): ToolSession {
  return { id: 'session', author, files: createSessionFiles(options) };
}

/** Runs a tool that must succeed. */
export async function succeed(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  within: ToolSession | null = null,
): Promise<ToolSuccess> {
  const result = await executeTool(tool, input, context, within);
  if (!result.ok) {
    throw new Error(`${tool.name} failed: ${result.text}`);
  }
  return result;
}

/** Runs a tool that must fail. */
export async function fail(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  within: ToolSession | null = null,
): Promise<ToolFailure> {
  const result = await executeTool(tool, input, context, within);
  if (result.ok) {
    throw new Error(`${tool.name} should have failed, but said: ${result.text}`);
  }
  return result;
}

/** Runs as a user who is not root, where the tests run as root: root may do everything. */
export async function asOrdinaryUser<Result>(run: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) {
    return run();
  }
  process.seteuid?.(65_534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
