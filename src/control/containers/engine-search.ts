import { OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import { Engine } from './engine.ts';
import { engineAddresses } from './engine-address.ts';
import { EngineHttp, EngineUnreachable } from './engine-http.ts';

/** The newest minor version 1.x of the API that this was written after. Docker 29 takes none older than 1.44. */
const newestMinor = 47;
/** Docker 19.03: `Mounts`, `PidsLimit` and exec's `WorkingDir` are there. */
const oldestMinor = 40;
/** Milliseconds. An engine that does not answer a ping in this time counts as none. */
const pingTimeout = 2_000;

/** The engine that was found, or why there is none. */
export type EngineSearch =
  | { readonly ok: true; readonly engine: Engine }
  | { readonly ok: false; readonly reason: string };

/** Asks every engine that may be there, all at once; the first in the order of addresses that answers is taken. */
export async function findEngine(env: Environment): Promise<EngineSearch> {
  const search = engineAddresses(env);
  if (!search.ok) {
    return search;
  }
  const answers = await Promise.all(
    search.addresses.map((address) =>
      ping(new EngineHttp(address)).catch((error: Error) =>
        error instanceof EngineUnreachable ? error.reason : error.message,
      ),
    ),
  );
  const engine = answers.find((answer) => answer instanceof Engine);
  const reasons = answers.filter((answer) => typeof answer === 'string');
  return engine === undefined ? { ok: false, reason: reasons.join('; ') } : { ok: true, engine };
}

async function ping(http: EngineHttp): Promise<Engine> {
  const answer = await http.send({ method: 'GET', path: '/_ping', timeout: pingTimeout });
  answer.resume();
  const { 'api-version': offered, 'libpod-api-version': libpod } = answer.headers;
  if (typeof offered !== 'string') {
    throw http.unreachable('what answers there is no container engine');
  }
  return new Engine(libpod === undefined ? 'docker' : 'podman', http, negotiated(offered, http));
}

/** An engine takes the versions from its oldest to its newest; the version it names is the newest. */
function negotiated(offered: string, http: EngineHttp): string {
  const [, digits] = /^1\.(\d+)$/.exec(offered) ?? [];
  const minor = Number(digits ?? 0);
  if (minor < oldestMinor) {
    throw http.unreachable(`it speaks version ${offered} of the API; 1.${oldestMinor} or newer is needed`);
  }
  return `1.${Math.min(minor, newestMinor)}`;
}

/** @param reason as a search gave it */
export function noEngine(reason: string): OxideError {
  return new OxideError('no-engine', `There is no container engine here: ${reason}.`, {
    remedy: 'sudo apt install podman && systemctl --user enable --now podman.socket   # or Docker',
  });
}
