import type { IncomingMessage } from 'node:http';

/** Why a request is refused before anybody looks at what it asks. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request whose Host or Origin is not this server's: a web page may make a browser call a server on its
 * user's machine by letting its own name resolve to 127.0.0.1, and names itself in these headers (DNS rebinding). An
 * address as such is fine: no page can have one as its name.
 *
 * @param allowedHosts names, without port, besides the loopback's and the address that the request came to
 */
export function refuseForeign(request: IncomingMessage, allowedHosts: readonly string[]): Refusal | null {
  const { headers, rawHeaders, socket } = request;
  const names = [
    ...loopbackNames,
    bracketed(socket.localAddress ?? ''),
    ...allowedHosts.map((name) => name.toLowerCase()),
  ];
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const host = hosts.length === 1 ? hostname(`http://${headers.host ?? ''}`) : null;
  if (host === null || !names.includes(host)) {
    return { status: 403, message: 'The Host header is not this server’s. If it should be: --allow-host NAME.' };
  }
  const { origin } = headers;
  const from = origin === undefined ? host : hostname(origin);
  if (from === null || !names.includes(from)) {
    return { status: 403, message: 'The Origin header is not this server’s. If it should be: --allow-host NAME.' };
  }
  return null;
}

/** The host of a URL that has nothing but scheme, host and port; null for any other. */
function hostname(url: string): string | null {
  try {
    const { protocol, hostname: name, username, password, pathname, search, hash } = new URL(url);
    const isBare = `${username}${password}${search}${hash}` === '' && pathname === '/' && !url.endsWith('/');
    return isBare && (protocol === 'http:' || protocol === 'https:') ? name.toLowerCase() : null;
  } catch {
    return null;
  }
}

function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}

/** The secret in `Authorization: Bearer`, or why there is none. */
export function bearerSecret(request: IncomingMessage): string | Refusal {
  const [, query = ''] = (request.url ?? '/').split('?');
  const parameters = new URLSearchParams(query);
  if (['access_token', 'token', 'api_key', 'authorization'].some((name) => parameters.has(name))) {
    return {
      status: 400,
      message:
        'A token in a URL ends up in logs: it is not read. Revoke it, and send another as "Authorization: Bearer …".',
    };
  }
  const secret = /^Bearer +(?<secret>[\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.groups?.secret;
  return secret ?? unauthorized('This needs "Authorization: Bearer TOKEN".');
}

export function unauthorized(message: string): Refusal {
  return { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer realm="oxide-guard"' } };
}
