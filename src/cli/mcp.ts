import { systemClock } from '../control/clock.ts';
import { type Control, openControl } from '../control/control.ts';
import { controlDirectories } from '../control/directories.ts';
import { formatScope, localAdmin, type Principal } from '../control/principal.ts';
import { serveOverHttp } from '../control/server/http.ts';
import { serveOverStdio } from '../control/server/stdio.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import type { Command } from './command.ts';
import { controlStore, printNotice, redactedStore, takeSecret } from './control-environment.ts';
import { packageVersion } from './version.ts';

export const mcp: Command = {
  register(cli, console) {
    cli
      .command('mcp', 'Serve the control plane and the guarded tools to MCP clients')
      .option('--http <[host:]port>', 'Over HTTP, to clients that bring a token; default: over standard streams')
      .option(
        '--store <url>',
        'postgres://… for several machines, or the path of an SQLite file (or OXIDE_GUARD_STORE)',
      )
      .option('--token-env <name>', 'Over standard streams: act with the token in this variable (OXIDE_GUARD_TOKEN)')
      .option('--token <token>', 'The same, readable for everybody on this machine while it starts')
      .option('--allow-host <names>', 'Over HTTP: further names of this server, with commas')
      .example('oxide-guard mcp')
      .example('oxide-guard tokens create laptop --scope admin && oxide-guard mcp --http 8080')
      .action((options: Options) => serve(readOptions(options), console));
  },
};

interface Options {
  readonly http?: string;
  readonly store?: string;
  readonly tokenEnv?: string;
  readonly token?: string;
  readonly allowHost?: string;
}

interface McpOptions {
  /** Null: over standard streams. */
  readonly http: Address | null;
  readonly store: string | null;
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function readOptions(options: Options): McpOptions {
  const { store = null, http = null, token: argument = null, tokenEnv: variable = null, allowHost = '' } = options;
  if (argument !== null || store !== null) {
    // Overwrites the words that `ps` shows: a token, a password in the store's URL.
    process.title = 'oxide-guard mcp';
  }
  const token = argument ?? (http === null || variable !== null ? takeSecret(variable ?? 'OXIDE_GUARD_TOKEN') : null);
  if (variable !== null && token === null) {
    throw usage(`The variable ${variable} is not set.`);
  }
  if (http !== null && token !== null) {
    throw usage('With --http each client brings its own token.');
  }
  return {
    http: http === null ? null : addressOf(http),
    store: controlStore(store),
    token,
    allowedHosts: allowHost.split(',').flatMap((name) => name.trim() || []),
  };
}

function addressOf(text: string): Address {
  const { host, port } = /^(?:\[?(?<host>[^[\]]+?)\]?:)?(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) {
    throw usage(`--http '${text}' is no port, and no HOST:PORT.`);
  }
  return { host: host ?? '127.0.0.1', port: Number(port) };
}

function usage(message: string): OxideError {
  return new OxideError('usage', message, { remedy: 'oxide-guard mcp --help', exitCode: ExitCode.usage });
}

/** Milliseconds in which sessions and open calls may end. */
const longestFarewell = 15_000;

/** What serves one kind of transport. */
interface Service {
  /** Settles when there is nobody to serve any more; never, where others may come. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

async function serve(options: McpOptions, console: Console): Promise<ExitCode> {
  const shutdown = new AbortController();
  const stopped = stopSignal();
  const control = await openControl({
    env: process.env,
    store: options.store,
    clock: systemClock,
    notify: (text) => printNotice(console, text),
  });
  try {
    const say = (text: string) => console.err(`${console.colors.bold('oxide-guard')} ${text}`);
    const recovered = await control.recover();
    const service =
      options.http === null
        ? await overStdio(options, control, shutdown.signal, say)
        : await overHttp(options.http, options, control, shutdown.signal, say);
    if (recovered > 0) {
      say(`has taken up ${recovered} session${recovered === 1 ? '' : 's'} that an earlier process left.`);
    }
    await control.begin();
    await Promise.race([service.ended, stopped]);
    setTimeout(() => {
      say(`did not end in ${longestFarewell / 1_000} s, and stops now: the next server takes up what is left.`);
      process.exit(ExitCode.failed);
    }, longestFarewell).unref();
    shutdown.abort(new OxideError('shutting-down', 'The server is shutting down.'));
    await service.close();
  } finally {
    await control.close();
  }
  // Whatever else is still open must not keep the process: all that matters is closed.
  setTimeout(() => process.exit(), 1000).unref();
  return ExitCode.fine;
}

type Say = (text: string) => void;

async function overStdio(options: McpOptions, control: Control, shutdown: AbortSignal, say: Say): Promise<Service> {
  const { tokens, dispatcher } = control;
  const first = options.token === null ? localAdmin : await tokens.authenticate(options.token);
  // A client that is gone ends the server in good order, agents first; the program would end at once.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', () => {});
  const service = serveOverStdio({
    dispatcher,
    version: await packageVersion(),
    principal: () => present(first, control),
    shutdown,
    input: process.stdin,
    output: process.stdout,
    onProblem: (problem) => say(`could not read or answer a message: ${problem}`),
  });
  const scope = formatScope(first.scope);
  say(`${await packageVersion()} serves MCP on standard streams as ${scope}; state: ${placeOf(options)}.`);
  if (process.stdin.isTTY === true) {
    say('waits for an MCP client, not for a person: how to configure one is in the README. Ctrl+C ends it.');
  }
  return service;
}

/** The principal as it is now: the token may have been revoked since the server began. */
async function present(first: Principal, { tokens }: Control): Promise<Principal> {
  const now = first.tokenId === null ? first : await tokens.principal(first.tokenId);
  if (now === null) {
    throw new OxideError('token-revoked', 'The token no longer holds.');
  }
  return now;
}

async function overHttp(
  { host, port }: Address,
  options: McpOptions,
  control: Control,
  shutdown: AbortSignal,
  say: Say,
): Promise<Service> {
  const { tokens, dispatcher, database } = control;
  const service = await serveOverHttp({
    dispatcher,
    tokens,
    clock: systemClock,
    version: await packageVersion(),
    host,
    port,
    allowedHosts: options.allowedHosts,
    shutdown,
    assertReady: () => database.get('SELECT 1 AS one'),
    onProblem: (problem) => say(`could not answer a request: ${problem}`),
  });
  say(`${await packageVersion()} serves MCP at ${service.url}/mcp; state: ${placeOf(options)}.`);
  const now = Date.now();
  const usable = (await tokens.list()).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  if (usable.length === 0) {
    say(pasteable('has no token yet, and a client needs one: oxide-guard tokens create NAME --scope admin'));
  }
  if (!['127.0.0.1', '::1', 'localhost'].includes(host)) {
    say('can be reached from other machines, without encryption: put a proxy with TLS in front of it.');
  }
  return { ended: new Promise(() => {}), close: () => service.close() };
}

/** Settles at the first signal that wants the process to end; the second one ends it at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) {
          process.exit(ExitCode.interrupted);
        }
        resolve();
      });
    }
  });
}

function placeOf({ store }: McpOptions): string {
  return store === null ? controlDirectories(process.env).state : redactedStore(store);
}
