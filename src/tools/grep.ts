import { closeSync, constants, fstatSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { fileFailure, isErrnoException, missingFile } from './file-failure.ts';
import { fileTypes } from './file-types.ts';
import { walkFiles } from './file-walk.ts';
import { compileGlob } from './glob-pattern.ts';
import { createReport, type Hit, type Report, type ReportForm } from './grep-report.ts';
import { contains, locate, type Place } from './place.ts';
import { openResolved } from './resolved-file.ts';
import { isBinary } from './text-encoding.ts';
import { compileSearch, type LineMatch, type Search } from './text-search.ts';
import { runInTime } from './timed-run.ts';
import { defineSessionTool, type ToolContext, type ToolSession } from './tool.ts';
import { failure, type ToolFailure, type ToolResult } from './tool-result.ts';
import { virtualFilesBelow } from './virtual-files.ts';
import { readAll } from './working-file.ts';

/** Milliseconds that the search of one batch of files may take: then the pattern is at fault, not the files. */
const batchTime = 5_000;
/** Bytes that are searched between two turns of the rest of the program. */
const batchSize = 4 * 1024 * 1024;
/** Bytes of a file that is searched. */
const fileLimit = 64 * 1024 * 1024;
const defaultHeadLimit = 250;

const lines = z.number().int().min(0).max(1_000).optional();

const schema = z.strictObject({
  pattern: z.string().min(1).describe('A JavaScript regular expression'),
  path: z.string().min(1).optional().describe('A file or directory; the working directory when absent'),
  glob: z.string().min(1).optional().describe('Only files of this name, such as *.ts or src/**/*.{js,jsx}'),
  type: z
    .string()
    .optional()
    .describe(`Only files of this kind: ${Object.keys(fileTypes).join(', ')}`),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Matching lines, names of files (newest first; the default), or matching lines counted by file'),
  '-A': lines.describe('Lines after each match'),
  '-B': lines.describe('Lines before each match'),
  '-C': lines.describe('Lines around each match'),
  '-n': z.boolean().optional().describe('Line numbers, on by default'),
  '-i': z.boolean().optional().describe('Ignore letter case'),
  multiline: z.boolean().optional().describe('A match may span lines, and . takes line breaks'),
  head_limit: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`The first so many lines or files, ${defaultHeadLimit} when absent`),
  include_ignored: z.boolean().optional().describe('Also files that .gitignore excludes'),
});

type GrepInput = z.output<typeof schema>;

export const grep = defineSessionTool({
  name: 'Grep',
  description:
    'Searches the content of files for a regular expression. Binary files, symbolic links, `.git` and what git ignores ' +
    'are left out. ' +
    'Use `output_mode: "content"` to see the lines.',
  effect: 'reads',
  schema,
  example: { pattern: 'function \\w+', path: 'src', glob: '*.ts', output_mode: 'content', '-C': 2 },
  touches: ({ path = '.' }) => [{ path, access: 'read' }],
  run: async (input, context, session) => {
    const placing = locate(input.path ?? '.', context);
    if (!placing.ok) {
      return placing.failure;
    }
    const query = compileQuery(input);
    if ('ok' in query) {
      return query;
    }
    const { place } = placing;
    try {
      const candidates = await findCandidates(place, query, input, context, session);
      return 'ok' in candidates ? candidates : await searchAll(candidates, query, input, context);
    } catch (error) {
      context.signal.throwIfAborted();
      return fileFailure(error, place.path);
    }
  },
});

interface Query {
  readonly search: Search;
  /** Whether a file is searched at all, by its path relative to the directory. */
  readonly takes: (path: string) => boolean;
}

function compileQuery({
  pattern,
  glob,
  type,
  multiline = false,
  '-i': ignoreCase = false,
}: GrepInput): Query | ToolFailure {
  // As in ripgrep, a glob without a slash is for names at any depth.
  const compiled = glob === undefined ? null : compileGlob(glob.includes('/') ? glob : atAnyDepth(glob));
  if (compiled?.ok === false) {
    return failure('invalid-pattern', `The glob '${glob}' cannot be searched for: ${compiled.problem}.`);
  }
  if (type !== undefined && !Object.hasOwn(fileTypes, type)) {
    return failure('unknown-type', `There is no file type '${type}'.`, {
      remedy: `The types are ${Object.keys(fileTypes).join(', ')}; for others use \`glob\`.`,
    });
  }
  const endings = type === undefined ? null : (fileTypes[type] ?? null);
  try {
    return {
      search: compileSearch(pattern, { ignoreCase, multiline }),
      takes: (path) =>
        (compiled === null || compiled.pattern.matches(path)) &&
        (endings === null || endings.includes(path.slice(path.lastIndexOf('.') + 1).toLowerCase())),
    };
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
    return failure('invalid-pattern', `The pattern is no regular expression: ${said}.`, {
      remedy: 'Put a backslash before characters that are meant literally, such as \\( or \\{.',
    });
  }
}

function atAnyDepth(glob: string): string {
  return glob.startsWith('!') && !glob.startsWith('!(') ? `!**/${glob.slice(1)}` : `**/${glob}`;
}

interface Candidate {
  /** Absolute, for reading. */
  readonly file: string;
  /** Relative to the working directory, for showing. */
  readonly shown: string;
  /** What a virtual session holds instead of the disk. */
  readonly virtual: Buffer | null;
}

async function findCandidates(
  place: Place,
  query: Query,
  input: GrepInput,
  context: ToolContext,
  session: ToolSession | null,
): Promise<readonly Candidate[] | ToolFailure> {
  const shownBelow = contains(context.cwd, place.path) ? relative(context.cwd, place.path) : place.path;
  const stats = statSync(place.target, { throwIfNoEntry: false });
  const isDirectory = stats?.isDirectory() ?? !isVirtualFile(place, session);
  const directory = isDirectory ? place.target : dirname(place.target);
  const virtual = virtualFilesBelow(directory, session);
  const candidate = (path: string, shown: string): Candidate => ({
    file: join(directory, path),
    shown,
    virtual: virtual.get(path) ?? null,
  });
  if (!isDirectory) {
    return [candidate(basename(place.target), shownBelow)];
  }
  if (stats === undefined && virtual.size === 0) {
    return missingFile(place.path);
  }
  const found = new Set([...virtual.keys()].filter(query.takes));
  if (stats !== undefined) {
    const { include_ignored: includeIgnored = false } = input;
    const options = { includeIgnored, depth: Number.POSITIVE_INFINITY, env: context.env, signal: context.signal };
    await walkFiles(directory, options, (path) => void (query.takes(path) && found.add(path)));
  }
  const prefix = shownBelow === '' ? '' : `${shownBelow}/`;
  return [...found].sort().map((path) => candidate(path, prefix + path));
}

function isVirtualFile({ target }: Place, session: ToolSession | null): boolean {
  return session?.files.mode === 'virtual' && session.files.latest(target) !== null;
}

async function searchAll(
  candidates: readonly Candidate[],
  { search }: Query,
  input: GrepInput,
  { signal, mayRead }: ToolContext,
): Promise<ToolResult> {
  const report = createReport(formOf(input));
  const left = { unreadable: 0, forbidden: 0 };
  for (let at = 0; at < candidates.length && !report.full; ) {
    await setImmediate();
    signal.throwIfAborted();
    const batch: Loaded[] = [];
    for (let size = 0; at < candidates.length && size < batchSize; at += 1) {
      const loaded = load(candidates[at], search, mayRead);
      if (loaded === 'unreadable' || loaded === 'forbidden') {
        left[loaded] += 1;
      } else if (loaded !== null) {
        batch.push(loaded);
        size += loaded.text.length;
      }
      // Files that cannot match cost time, too.
      size += 4_096;
    }
    const slow = searchBatch(batch, search, report);
    if (slow !== null) {
      return slow;
    }
  }
  return report.result(left);
}

function formOf(input: GrepInput): ReportForm {
  const around = input['-C'] ?? 0;
  return {
    mode: input.output_mode ?? 'files_with_matches',
    limit: input.head_limit ?? defaultHeadLimit,
    context: { before: input['-B'] ?? around, after: input['-A'] ?? around, numbered: input['-n'] ?? true },
  };
}

/** A file that is going to be searched. */
type Loaded = Omit<Hit, 'matches'>;

/** Puts into the report what matches; or says that the pattern takes too long. */
function searchBatch(batch: readonly Loaded[], search: Search, report: Report): ToolFailure | null {
  let searching = '';
  const outcome = runInTime(() => {
    const found: (readonly LineMatch[])[] = [];
    for (const { path, text } of batch) {
      searching = path;
      found.push(search.find(text));
    }
    return found;
  }, batchTime);
  if (outcome === null) {
    return failure('pattern-too-slow', `The pattern took more than ${batchTime / 1_000} s, at '${searching}'.`, {
      remedy:
        'Repetitions inside of repetitions, such as (a+)+, make it slow: write it without, or search fewer files.',
    });
  }
  for (const [index, file] of batch.entries()) {
    const matches = outcome.result[index] ?? [];
    if (matches.length > 0) {
      report.add({ ...file, matches });
    }
  }
  return null;
}

/** A file's text; null when it has no match for sure, or is binary. */
function load(
  candidate: Candidate | undefined,
  search: Search,
  mayRead: ToolContext['mayRead'],
): Loaded | 'unreadable' | 'forbidden' | null {
  if (candidate === undefined) {
    return null;
  }
  const { file, shown, virtual } = candidate;
  if (mayRead?.(file) === false) {
    return 'forbidden';
  }
  try {
    const { bytes, mtimeMs } =
      virtual === null ? readRegular(file) : { bytes: virtual, mtimeMs: Number.POSITIVE_INFINITY };
    if (bytes === null || isBinary(bytes) || !search.mayMatch(bytes)) {
      return bytes === null ? 'unreadable' : null;
    }
    return { path: shown, text: bytes.toString('utf8'), mtimeMs };
  } catch (error) {
    return isErrnoException(error) && linkCodes.includes(error.code) ? null : 'unreadable';
  }
}

/** Of a symbolic link that is not followed, and of a directory that has become one. */
const linkCodes = ['ELOOP', 'EMLINK', 'ESTALE'];

/** Symbolic links are not followed: what they lead to is searched where it lies, or lies outside. */
function readRegular(file: string): { readonly bytes: Buffer | null; readonly mtimeMs: number } {
  const descriptor = openResolved(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    const fits = stats.isFile() && stats.size <= fileLimit;
    return { bytes: fits ? readAll(descriptor, stats.size) : null, mtimeMs: stats.mtimeMs };
  } finally {
    closeSync(descriptor);
  }
}
