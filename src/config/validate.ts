import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { z } from 'zod';
import { ExitCode, OxideError } from '../errors.ts';
import { type Configuration, type ConfigurationFile, resolveConfiguration } from './configuration.ts';
import { evaluateModule } from './evaluate-module.ts';
import type { ConfigurationSource } from './load.ts';
import { asConfigurationFile, configurationFile } from './schema.ts';

/**
 * Reads and checks one configuration file.
 *
 * @throws OxideError (`configuration-invalid`, exit code 2) that names the file, the path of every bad key and what it
 *   must be
 */
export async function validateConfiguration(source: ConfigurationSource): Promise<Configuration> {
  return resolveConfiguration(await readConfigurationFile(source));
}

/**
 * What one configuration file itself says, checked, without the defaults.
 *
 * @throws OxideError as {@link validateConfiguration}
 */
export async function readConfigurationFile(source: ConfigurationSource): Promise<ConfigurationFile> {
  const content = await contentOf(source);
  const result = configurationFile.safeParse(content);
  if (!result.success) {
    const problems = result.error.issues.flatMap((issue) => describeIssue(issue));
    throw invalid(source.path, problems.join('; '));
  }
  return asConfigurationFile(result.data);
}

async function contentOf({ path, text }: ConfigurationSource): Promise<unknown> {
  if (path.endsWith('package.json')) {
    return (JSON.parse(text) as Record<string, unknown>)['oxide-guard'];
  }
  if (path.endsWith('.json')) {
    return parseJson(path, text);
  }
  return importModule(path);
}

/** JSON with comments and trailing commas, as editors write it. */
function parseJson(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const before = text.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw invalid(path, `${printParseErrorCode(error.error)} at ${place}`);
  }
  return content;
}

async function importModule(path: string): Promise<unknown> {
  try {
    return await evaluateModule(path);
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function invalid(path: string, problem: string, cause?: unknown): OxideError {
  return new OxideError('configuration-invalid', `${path}: ${problem}${problem.endsWith('?') ? '' : '.'}`, {
    remedy: 'oxide-guard config schema   # every key and what it may hold',
    exitCode: ExitCode.usage,
    cause,
  });
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = nearest(key, knownKeys(issue.path));
      return `${[at, key].filter(Boolean).join('.')}: no such key${meant === null ? '' : `; did you mean '${meant}'?`}`;
    });
  }
  return [`${at === '' ? 'the configuration' : at}: ${issue.message.replace(/^Invalid /, 'invalid ')}`];
}

function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const [section] = path;
  const shape = configurationFile.shape;
  if (section === undefined) {
    return Object.keys(shape);
  }
  return section === 'rules' || section === 'commit' || section === 'agent'
    ? Object.keys(shape[section].unwrap().shape)
    : [];
}

/** The known key at the smallest edit distance, if it is near enough to be meant. */
function nearest(key: string, known: readonly string[]): string | null {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(key, candidate) }));
  ranked.sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(2, key.length / 3) ? best.candidate : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
