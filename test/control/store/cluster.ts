import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server of the tests' own, on a socket in a temporary directory. */
export interface Cluster {
  /** The URL of a new, empty schema. */
  schema(): Promise<string>;
  stop(): Promise<void>;
}

/** The directory with PostgreSQL's programs, of Debian's versions the newest; null where there are none. */
export function postgresPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = has(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return candidates.find((directory) => has(join(directory, 'initdb')) && has(join(directory, 'postgres'))) ?? null;
}

function has(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Starts a server that is as quick as one whose data nobody needs. */
export async function startCluster(programs: string): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-pg-'));
  const data = join(directory, 'data');
  const asUser = unprivileged(directory);
  const run = (program: string, args: readonly string[]) =>
    [...asUser, join(programs, program), ...args] as [string, ...string[]];
  const [initdb, ...initdbArgs] = run('initdb', [
    '-D',
    data,
    '-U',
    'oxide',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  ]);
  execFileSync(initdb, initdbArgs, { stdio: 'pipe', cwd: '/' });
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=60'].flatMap((setting) => ['-c', setting]);
  const [postgres, ...args] = run('postgres', ['-D', data, '-k', directory, ...settings]);
  const server = spawn(postgres, args, { stdio: 'ignore', cwd: '/' });
  const killed = () => server.kill('SIGKILL');
  process.once('exit', killed);
  const url = (options = '') => `postgres://oxide@/postgres?host=${encodeURIComponent(directory)}${options}`;
  await whenReady(url(), server);
  let schemas = 0;
  return {
    async schema() {
      const name = `test_${++schemas}`;
      await query(url(), `CREATE SCHEMA ${name}`);
      return url(`&options=${encodeURIComponent(`-c search_path=${name}`)}`);
    },
    async stop() {
      process.off('exit', killed);
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: what to run it with, as its user, whose the directory becomes. */
function unprivileged(directory: string): readonly string[] {
  if (process.getuid?.() !== 0) {
    return [];
  }
  const id = (flag: string, user: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }));
  const user = ['postgres', 'nobody'].find((name) => {
    try {
      return id('-u', name) > 0;
    } catch {
      return false;
    }
  });
  const [uid, gid] = [id('-u', user ?? 'nobody'), id('-g', user ?? 'nobody')];
  chownSync(directory, uid, gid);
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

async function whenReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    try {
      return await query(url, 'SELECT 1');
    } catch (error) {
      if (server.exitCode !== null) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}
