import { ExitCode, OxideError } from '../../errors.ts';

/** What went wrong with a provider, in no provider's form. */
export interface ProviderFailure {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The provider's own words. */
  readonly message: string;
  /** What the system said of a connection: `ECONNREFUSED`. */
  readonly connection: string | null;
  readonly cause: unknown;
}

/** Which model, at which provider. */
export interface ModelAddress {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
}

/** A provider's failure as an error that a person can act on. */
export function modelError(failure: ProviderFailure, address: ModelAddress): OxideError {
  const { status, cause } = failure;
  const message = shown(failure.message);
  const { model, baseUrl, keyVariable } = address;
  const error = (code: string, text: string, remedy: string) => new OxideError(code, text, { remedy, cause });
  if (status === null) {
    return failure.connection === null
      ? error('model-stream-broken', `The answer of '${model}' broke off: ${message}.`, goOn)
      : error(
          'model-unreachable',
          `Nothing answers at ${baseUrl} (${failure.connection}).`,
          'Check --base-url (or OXIDE_GUARD_BASE_URL, or agent.baseUrl) and the network.',
        );
  }
  switch (status) {
    case 401:
    case 403:
      return error(
        'model-key-refused',
        `${baseUrl} refused the key in ${keyVariable} (${status}: ${message}).`,
        `export ${keyVariable}=…   # a key that is valid there`,
      );
    case 404:
      return error(
        'model-unknown',
        `${baseUrl} knows no model '${model}' (404: ${message}).`,
        'Name another one with --model, or check --base-url: it ends before /messages or /chat/completions.',
      );
    case 413:
      return error('model-request-too-large', `The conversation is too large for '${model}' (413: ${message}).`, goOn);
    case 429:
      return error('model-rate-limited', `${baseUrl} takes no more requests for now (429: ${message}).`, goOn);
    default:
      return status >= 500
        ? error('model-overloaded', `${baseUrl} failed, several times (${status}: ${message}).`, goOn)
        : error('model-request-refused', `${baseUrl} refused the request (${status}: ${message}).`, 'See its message.');
  }
}

/** A provider's words as a part of a sentence; a proxy may answer with a whole page. */
export function shown(message: string): string {
  const whole = message.trim().replace(/\.$/, '');
  return whole.length > 1000 ? `${whole.slice(0, 1000)}…` : whole;
}

const goOn = 'Wait a little, then go on with: oxide-guard agent --continue';

/** No key is set for a provider that wants one. */
export function missingKey(keyVariable: string): OxideError {
  return new OxideError('model-key-missing', `${keyVariable} is not set, and the provider wants a key.`, {
    remedy: `export ${keyVariable}=…   # or see a session without a key: oxide-guard demo`,
    exitCode: ExitCode.usage,
  });
}
