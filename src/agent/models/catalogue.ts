import { isAbsolute, resolve } from 'node:path';
import { type AgentSettings, type ProviderName, providerNames } from '../../config/agent-settings.ts';
import { ExitCode, OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import type { Model } from '../model.ts';
import { openReplay } from './replay.ts';

/** The models that a session and its subagents may use: all of one provider. */
export interface Models {
  /** The session's own model. */
  readonly main: Model;
  /** @param name a model's name or an alias of the configuration */
  open(name: string): Model;
}

/** What the command line says; null where it is silent. */
export interface ModelChoice {
  readonly model: string | null;
  /** `anthropic`, `openai-compatible` or `replay:FILE`. */
  readonly provider: string | null;
  readonly baseUrl: string | null;
}

/**
 * Opens the models of a session. The command line decides, then OXIDE_GUARD_MODEL, OXIDE_GUARD_PROVIDER and
 * OXIDE_GUARD_BASE_URL, then the configuration; a provider may also follow from the key that is set.
 *
 * @param cwd from which a recording's path is resolved
 * @throws OxideError `no-model`, `unknown-provider`, and what opening the model throws
 */
export async function openModels(
  choice: ModelChoice,
  settings: Pick<AgentSettings, 'model' | 'provider' | 'baseUrl' | 'aliases'>,
  env: Environment,
  cwd: string,
): Promise<Models> {
  const provider = choice.provider ?? nonEmpty(env.OXIDE_GUARD_PROVIDER) ?? settings.provider;
  const named = choice.model ?? nonEmpty(env.OXIDE_GUARD_MODEL) ?? settings.model;
  const nameOf = (name: string) => settings.aliases[name] ?? name;
  if (provider?.startsWith('replay:') === true) {
    const file = provider.slice('replay:'.length);
    if (file === '') {
      throw new OxideError('unknown-provider', "'replay:' names no file with the model's turns.", {
        remedy: 'oxide-guard agent --provider replay:FILE "…"',
        exitCode: ExitCode.usage,
      });
    }
    const turns = openReplay(isAbsolute(file) ? file : resolve(cwd, file));
    return { main: turns.model(named === null ? provider : nameOf(named)), open: (name) => turns.model(nameOf(name)) };
  }
  const known = provider === null ? providerByKey(env) : asProvider(provider);
  if (known === null || named === null) {
    throw noModel(known, named);
  }
  // Loaded only here: the provider SDK takes longer to start than everything else.
  const { openProviderModel } = await import('./provider.ts');
  const baseUrl = choice.baseUrl ?? nonEmpty(env.OXIDE_GUARD_BASE_URL) ?? settings.baseUrl;
  const apiKey = nonEmpty(known === 'anthropic' ? env.ANTHROPIC_API_KEY : env.OPENAI_API_KEY);
  const open = (name: string) => openProviderModel({ provider: known, model: nameOf(name), baseUrl, apiKey });
  return { main: open(named), open };
}

function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

function providerByKey(env: Environment): ProviderName | null {
  if (nonEmpty(env.ANTHROPIC_API_KEY) !== null) {
    return 'anthropic';
  }
  return nonEmpty(env.OPENAI_API_KEY) === null ? null : 'openai-compatible';
}

function asProvider(name: string): ProviderName {
  const known = providerNames.find((provider) => provider === name);
  if (known === undefined) {
    throw new OxideError('unknown-provider', `There is no provider '${name}'.`, {
      remedy: `Choose from: ${providerNames.join(', ')}, replay:FILE`,
      exitCode: ExitCode.usage,
    });
  }
  return known;
}

function noModel(provider: ProviderName | null, model: string | null): OxideError {
  const missing = [provider === null ? 'provider' : null, model === null ? 'model' : null]
    .filter(Boolean)
    .join(' and ');
  return new OxideError('no-model', `No ${missing} is configured.`, {
    remedy:
      'ANTHROPIC_API_KEY=… oxide-guard agent --provider anthropic --model sonnet "…"\n' +
      '  → with a server of your own: oxide-guard agent --provider openai-compatible --base-url http://localhost:11434/v1 --model NAME "…"\n' +
      '  → for good: "agent": {"provider": "anthropic", "model": "sonnet"} in ~/.config/oxide-guard/config.json\n' +
      '  → without a model, a replayed session: oxide-guard demo',
    exitCode: ExitCode.usage,
  });
}
