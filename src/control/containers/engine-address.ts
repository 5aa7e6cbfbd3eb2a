import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../git/runner.ts';

/** Where an engine's API listens. */
export type EngineAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export type AddressSearch =
  | { readonly ok: true; readonly addresses: readonly EngineAddress[] }
  | { readonly ok: false; readonly reason: string };

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const defaultPort = 2375;

/**
 * Where engines may listen: `DOCKER_HOST` alone, where it is set (docker(1)); else the usual sockets that exist. An
 * engine on another machine does not see this machine's workspaces, so only a loopback address is taken.
 */
export function engineAddresses(env: Environment): AddressSearch {
  const host = env.DOCKER_HOST ?? '';
  if (host === '') {
    const runtime = env.XDG_RUNTIME_DIR ?? '';
    const personal = runtime === '' ? [] : [join(runtime, 'podman', 'podman.sock'), join(runtime, 'docker.sock')];
    const paths = ['/var/run/docker.sock', '/run/podman/podman.sock', ...personal].filter((path) => existsSync(path));
    return paths.length === 0
      ? { ok: false, reason: 'no engine listens at the usual sockets, and DOCKER_HOST is not set' }
      : { ok: true, addresses: paths.map((path) => ({ kind: 'unix', path })) };
  }
  const address = parseAddress(host);
  return address === null
    ? { ok: false, reason: `DOCKER_HOST='${host}' is neither unix:///PATH nor tcp:// at a loopback address` }
    : { ok: true, addresses: [address] };
}

function parseAddress(host: string): EngineAddress | null {
  if (host.startsWith('unix://')) {
    const path = host.slice('unix://'.length);
    return path.startsWith('/') ? { kind: 'unix', path } : null;
  }
  try {
    const { protocol, hostname, port } = new URL(host);
    return protocol === 'tcp:' && loopback.includes(hostname)
      ? { kind: 'tcp', host: hostname.replace(/[[\]]/g, ''), port: port === '' ? defaultPort : Number(port) }
      : null;
  } catch {
    return null;
  }
}

/** As it would stand in `DOCKER_HOST`. */
export function formatAddress(address: EngineAddress): string {
  return address.kind === 'unix' ? `unix://${address.path}` : `tcp://${address.host}:${address.port}`;
}
