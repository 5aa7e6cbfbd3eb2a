import { realpathSync, statSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { contains } from './place.ts';
import { type ProcessEnd, runProcess } from './process-run.ts';
import type { ConfinedCommand } from './session-ports.ts';
import { shellEnvironment } from './shell-environment.ts';
import type { ToolContext } from './tool.ts';

/** One command line and where its output goes. */
export interface ShellRequest {
  readonly command: string;
  /** Milliseconds; null: as long as it takes. */
  readonly timeout: number | null;
  /** In a virtual session nothing reaches the disk: commands write in /tmp only, and need a sandbox that holds them to it. */
  readonly readOnly: boolean;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

export interface ShellEnd extends Pick<ProcessEnd, 'exitCode' | 'stopped'> {
  readonly sandboxed: boolean;
  /** Where the shell stood in the end; null where that isn't known. */
  readonly directory: string | null;
  /** What the sandbox had to undo, a sentence for each. */
  readonly notes: readonly string[];
}

type Surroundings = Pick<ToolContext, 'cwd' | 'roots' | 'env' | 'sandbox'>;

/**
 * The command line runs as `bash -c` would run it, without positional parameters; then the shell tells where it stands.
 * A trap of the command's own on EXIT takes that place: then the directory stays what it was.
 */
const script = `trap 'pwd -P >&3 2>/dev/null' EXIT; eval "set --; $1"`;

/**
 * Runs a command line of the model, confined if the session says so. Descriptor 3 is where the shell reports.
 *
 * @throws OxideError `directory-missing`, `invalid-command`, `program-missing`, `sandbox-required`, `virtual-session`
 */
export async function runShell(request: ShellRequest, { cwd, roots, env, sandbox }: Surroundings): Promise<ShellEnd> {
  if (!isDirectory(cwd)) {
    throw new OxideError('directory-missing', `The working directory '${cwd}' does not exist any more.`, {
      remedy: `cd ${quoteWord(roots[0] ?? '/')}`,
    });
  }
  if (request.command.includes('\0')) {
    throw new OxideError(
      'invalid-command',
      'The command line holds a NUL character, and no program can be given one.',
      {
        remedy: "Leave it out, or have the shell make it: printf '\\0'",
      },
    );
  }
  const plain: ConfinedCommand = {
    argv: ['bash', '-c', script, 'bash', request.command],
    env: shellEnvironment(env),
    sandboxed: false,
  };
  const writable = request.readOnly ? [] : roots;
  const confined = (await sandbox?.confine({ argv: plain.argv, env: plain.env, cwd, roots: writable })) ?? plain;
  if (request.readOnly && !confined.sandboxed) {
    throw new OxideError(
      'virtual-session',
      'In this session nothing reaches the disk, and a command could write there.',
      { remedy: 'Use Read, Glob and Grep, and Write and Edit, which know the session’s files.' },
    );
  }
  const { signal, timeout, onOutput } = request;
  const end = await runProcess({
    argv: confined.argv,
    env: confined.env,
    sandboxed: confined.sandboxed,
    cwd,
    signal,
    timeout,
    onOutput,
  });
  const reported = end.reported.replace(/\n$/, '');
  return {
    exitCode: end.exitCode,
    stopped: end.stopped,
    sandboxed: confined.sandboxed,
    directory: reported === '' ? null : reported,
    notes: confined.ended?.() ?? [],
  };
}

/** Is a directory, where a shell says it stands, one in which the session may work? */
export function isWithinRoots(directory: string, roots: readonly string[]): boolean {
  return isDirectory(directory) && roots.some((root) => contains(realDirectory(root), realDirectory(directory)));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realDirectory(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
