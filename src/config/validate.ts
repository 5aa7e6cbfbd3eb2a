import { basename } from 'node:path';
import type { z } from 'zod';
import { ExitCode, OxideError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { quoteWord } from '../quote.ts';
import { type Configuration, type ConfigurationFile, resolveConfiguration } from './configuration.ts';
import { evaluateModule } from './evaluate-module.ts';
import { lineOfPath, parseJsonText } from './json-text.ts';
import { type ConfigurationSource, isProgram, ownKey } from './load.ts';
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
    const problems = result.error.issues.flatMap((issue) => describeIssue(issue, source));
    throw invalid(source.path, problems.join('; '));
  }
  return asConfigurationFile(result.data);
}

async function contentOf({ path, text }: ConfigurationSource): Promise<unknown> {
  if (isManifest(path)) {
    return (JSON.parse(text) as Record<string, unknown>)[ownKey];
  }
  if (isProgram({ path })) {
    return importModule(path);
  }
  const read = parseJsonText(text);
  if ('problem' in read) {
    throw invalid(path, read.problem);
  }
  return read.value;
}

/** Of npm; the configuration is one of its keys. */
function isManifest(path: string): boolean {
  return basename(path) === 'package.json';
}

async function importModule(path: string): Promise<unknown> {
  try {
    return await evaluateModule(path);
  } catch (cause) {
    const { name, message } = cause as Error;
    throw invalid(path, message, {
      cause,
      // The loader of modules does not tell where; node does.
      ...(name === 'SyntaxError' && !path.endsWith('.ts') && { remedy: `node --check ${quoteWord(path)}` }),
    });
  }
}

function invalid(
  path: string,
  problem: string,
  options: { readonly remedy?: string; readonly cause?: unknown } = {},
): OxideError {
  return new OxideError('configuration-invalid', `${path}: ${problem}${problem.endsWith('?') ? '' : '.'}`, {
    remedy: 'oxide-guard config schema   # every key and what it may hold',
    exitCode: ExitCode.usage,
    ...options,
  });
}

function describeIssue(issue: z.core.$ZodIssue, source: ConfigurationSource): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = nearest(key, knownKeys(issue.path));
      const path = [...issue.path, key];
      return `${path.map(String).join('.')}${place(path, source)}: no such key${meant === null ? '' : `; did you mean '${meant}'?`}`;
    });
  }
  const at = issue.path.length === 0 ? 'the configuration' : issue.path.map(String).join('.');
  return [`${at}${place(issue.path, source)}: ${issue.message.replace(/^Invalid /, 'invalid ')}`];
}

/** Where a person finds a key; empty for the whole, and for a program, whose text need not hold it. */
function place(path: readonly PropertyKey[], source: ConfigurationSource): string {
  if (path.length === 0 || isProgram(source)) {
    return '';
  }
  const line = lineOfPath(source.text, isManifest(source.path) ? [ownKey, ...path] : path);
  return line === null ? '' : ` (line ${line})`;
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
