import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { findCommitlintConfiguration } from '../../commit/commitlint-configuration.ts';
import { configuredConvention } from '../../commit/configured-convention.ts';
import { conventionLinter, type Linter } from '../../commit/linter.ts';
import { type AgentSettings, resolveAgentSettings } from '../../config/agent-settings.ts';
import {
  type Configuration,
  type ConfigurationFile,
  defaultConfiguration,
  resolveConfiguration,
} from '../../config/configuration.ts';
import { type ConfigurationSource, findConfiguration, withHeldBranches } from '../../config/load.ts';
import type { Policy } from '../../config/policy.ts';
import { readConfigurationFile } from '../../config/validate.ts';
import { isRegularFile } from '../../git/files.ts';
import { ownDirectory } from '../../git/own-directory.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import { conventionOf } from '../../guards/convention.ts';
import type { Convention } from '../../guards/scene.ts';
import { pasteable } from '../../own-command.ts';
import { type Powers, type ProgramFile, powersOf, withoutPowers } from './powers.ts';
import { isTrusted, trustFolder } from './trusted-folders.ts';
import { combineAgentSettings, findUserConfiguration } from './user-settings.ts';

export interface TrustQuestion {
  readonly folder: string;
  /** What the folder's own settings would do, a line each. */
  readonly powers: readonly string[];
}

export interface SessionConfigurationOptions {
  readonly env: Environment;
  /** The person has said so for this run (`--trust`, OXIDE_GUARD_TRUST=1): nobody is asked, nothing is remembered. */
  readonly trusts: boolean;
  /** Asks the person; a yes is remembered. `unanswered`: nobody could be asked. */
  readonly ask: (question: TrustQuestion) => Promise<'yes' | 'no' | 'unanswered'>;
  readonly notify: (text: string) => void;
}

/** What holds in a session, as it was when the session began. */
export interface SessionConfiguration {
  readonly settings: AgentSettings;
  /** How commands in a repository are judged; null: where none can be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
}

/**
 * The configuration of a session: the person's own, and the repository's as far as the person trusts that folder. It is
 * read once: what the session's commands write into the work tree does not change by what they are judged.
 *
 * @throws OxideError naming file and key, when a configuration is broken
 */
export async function sessionConfiguration(
  repository: Repository | null,
  options: SessionConfigurationOptions,
): Promise<SessionConfiguration> {
  const own = findUserConfiguration(options.env);
  const person = own === null ? {} : ((await readConfigurationFile(own)).agent ?? {});
  const found = repository === null ? nothing : filesOf(repository);
  const { configuration, commitlint } = found;
  const isProgram = configuration !== null && runs(configuration);
  const written = configuration === null || isProgram ? {} : await readConfigurationFile(configuration);
  const programs = [...(isProgram ? [programOf(configuration, repository)] : []), ...commitlint.programs];
  const powers = powersOf(written.agent ?? {}, programs);
  const trusted = powers === null || repository === null || (await settle(repository, powers, options));
  const file = trusted && isProgram ? await readConfigurationFile(configuration) : written;
  const agent = trusted ? (file.agent ?? {}) : withoutPowers(file.agent ?? {});
  const resolved = held(resolveConfiguration(file), repository);
  return {
    settings: resolveAgentSettings(combineAgentSettings(person, agent)),
    convention: conventions(repository, resolved, await linterOf(trusted ? commitlint.path : null, resolved)),
  };
}

interface FoundFiles {
  readonly configuration: ConfigurationSource | null;
  /** commitlint's configuration: also one in JSON names packages and files that it loads. */
  readonly commitlint: { readonly path: string | null; readonly programs: readonly ProgramFile[] };
}

const nothing: FoundFiles = { configuration: null, commitlint: { path: null, programs: [] } };

function filesOf(repository: Repository): FoundFiles {
  const { workTree, cwd } = repository;
  const path = workTree === null ? null : findCommitlintConfiguration(cwd, ownDirectory(repository));
  const programs = path === null ? [] : [{ path: nameIn(path, repository), text: commitlintText(path) }];
  return { configuration: findConfiguration(ownDirectory(repository)), commitlint: { path, programs } };
}

/**
 * Of a manifest only its key counts: versions and scripts change all the time. What is no regular file is not opened; it
 * is refused when it is loaded.
 */
function commitlintText(path: string): string {
  if (!isRegularFile(path)) {
    return '';
  }
  const text = readFileSync(path, 'utf8');
  return basename(path) === 'package.json'
    ? JSON.stringify((JSON.parse(text) as Record<string, unknown>).commitlint)
    : text;
}

function runs({ path }: ConfigurationSource): boolean {
  return !path.endsWith('.json');
}

function programOf({ path, text }: ConfigurationSource, repository: Repository | null): ProgramFile {
  return { path: repository === null ? path : nameIn(path, repository), text };
}

function nameIn(path: string, repository: Repository): string {
  return relative(ownDirectory(repository), path);
}

async function settle(
  repository: Repository,
  { lines, digest }: Powers,
  { env, trusts, ask, notify }: SessionConfigurationOptions,
): Promise<boolean> {
  const { commonDir } = repository;
  if (trusts || isTrusted(commonDir, digest, env)) {
    return true;
  }
  const folder = ownDirectory(repository);
  const answer = await ask({ folder, powers: lines });
  if (answer === 'yes') {
    trustFolder(commonDir, digest, env);
    return true;
  }
  const left = `${lines.length === 1 ? 'This setting' : `These ${lines.length} settings`} of ${folder} did not take effect, because nobody has said that the folder is trusted:`;
  const way = answer === 'unanswered' ? pasteable('\nAfter reading them: oxide-guard agent --trust "…"') : '';
  notify(`${left}\n${lines.map((line) => `  ${line}`).join('\n')}${way}`);
  return false;
}

/**
 * commitlint is loaded now, not with the first commit: until then a command could have put another program in its
 * place, which would run outside of the sandbox.
 */
async function linterOf(path: string | null, { commit }: Configuration): Promise<Linter> {
  return path === null
    ? conventionLinter(configuredConvention(commit))
    : (await import('../../commit/commitlint.ts')).commitlintLinter(path);
}

function conventions(
  own: Repository | null,
  configuration: Configuration,
  linter: Linter,
): SessionConfiguration['convention'] {
  const here = conventionOf(configuration, linter);
  const nowhere = conventionOf(held(defaultConfiguration, own));
  return async (repository) => {
    if (repository === null) {
      return nowhere;
    }
    return repository.commonDir === own?.commonDir ? here : conventionElsewhere(repository, own);
  };
}

/**
 * Another repository may have been made by the session's commands: its own configuration can make rules stricter only,
 * and no program of it runs.
 */
async function conventionElsewhere(repository: Repository, own: Repository | null): Promise<Convention> {
  const source = findConfiguration(ownDirectory(repository));
  const file: ConfigurationFile = source === null || runs(source) ? {} : await readConfigurationFile(source);
  const configuration = resolveConfiguration(file);
  const restricted = held({ ...configuration, ...stricter(configuration) }, repository);
  // A clone that the session made is no way around what is held in its own repository.
  return conventionOf(held(restricted, own));
}

/** With what whoever runs the repository protects in all its work trees. */
function held(configuration: Configuration, repository: Repository | null): Configuration {
  return repository === null
    ? configuration
    : withHeldBranches(configuration, join(repository.commonDir, 'oxide-guard'));
}

const strength = ['off', 'allow', 'ask', 'deny'] as const;

function stricter({ protectedBranches, rules }: Policy): Policy {
  const entries = Object.entries(defaultConfiguration.rules) as [
    keyof Policy['rules'],
    Policy['rules'][keyof Policy['rules']],
  ][];
  return {
    protectedBranches: protectedBranches.filter((glob) => !glob.startsWith('!')),
    rules: Object.fromEntries(
      entries.map(([id, usual]) => [id, strength.indexOf(rules[id]) > strength.indexOf(usual) ? rules[id] : usual]),
    ) as Policy['rules'],
  };
}
