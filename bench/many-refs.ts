/**
 * pre-push with 2,000 updated refs: how many git processes, and how much over node's own start.
 * Run: `npm run build && npx jiti bench/many-refs.ts [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { milliseconds, table, timeInterleaved } from './interleaved.ts';

const rounds = Number(process.argv[2] ?? 20);
const refs = 2000;
const bundle = resolve(import.meta.dirname, '..', 'dist', 'hook', 'push.cjs');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const work = join(home, 'work');
const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
const git = (args: readonly string[], input = '') =>
  execFileSync('git', args, { cwd: work, env, input, encoding: 'utf8', maxBuffer: 1 << 28 });

/** 2,000 branches, each one commit ahead of what the remote has. */
function buildLines(): string {
  mkdirSync(work);
  git(['init', '-q', '-b', 'main']);
  const person = 'A <a@example.com> 1700000000 +0000';
  const commit = (ref: string, mark: number, subject: string, from: number | null) => [
    `commit ${ref}`,
    `mark :${mark}`,
    `committer ${person}`,
    `data ${subject.length}`,
    subject,
    ...(from === null ? [] : [`from :${from}`]),
    '',
  ];
  const stream = commit('refs/heads/main', 1, 'feat: begin', null);
  for (let index = 0; index < refs; index += 1) {
    const mark = 2 * index + 2;
    stream.push(...commit(`refs/remotes/origin/b${index}`, mark, 'feat: theirs', 1));
    stream.push(...commit(`refs/heads/b${index}`, mark + 1, 'feat: ours', mark));
  }
  git(['fast-import', '--quiet'], `${stream.join('\n')}\n`);
  git(['remote', 'add', 'origin', 'https://example.com/x.git']);
  const listed = git(['for-each-ref', '--format=%(refname) %(objectname)']);
  const oids = new Map(listed.split('\n').map((line) => line.split(' ') as [string, string]));
  return Array.from({ length: refs }, (_, index) => {
    const ref = `refs/heads/b${index}`;
    return `${ref} ${oids.get(ref)} ${ref} ${oids.get(`refs/remotes/origin/b${index}`)}\n`;
  }).join('');
}

/** A git that notes each start; used for counting only, never for timing. */
function countProcesses(input: string): number {
  const shims = join(home, 'shims');
  const notes = join(home, 'notes');
  mkdirSync(shims);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(shims, 'git'), `#!/bin/sh\necho "$1" >> '${notes}'\nexec '${real}' "$@"\n`);
  chmodSync(join(shims, 'git'), 0o755);
  execFileSync('node', [bundle, 'pre-push', 'origin', 'https://example.com/x.git'], {
    cwd: work,
    env: { ...env, PATH: `${shims}${delimiter}${env.PATH}` },
    input,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return readFileSync(notes, 'utf8').trim().split('\n').length;
}

try {
  const input = buildLines();
  const processes = countProcesses(input);
  const [node, ours] = timeInterleaved(
    [
      { name: 'node -e 0', command: 'node', args: ['-e', '0'], cwd: work, env },
      {
        name: 'pre-push, 2,000 refs',
        command: 'node',
        args: [bundle, 'pre-push', 'origin', 'https://example.com/x.git'],
        cwd: work,
        env,
        input,
      },
    ],
    rounds,
  );
  const over = (ours?.median ?? Number.NaN) - (node?.median ?? Number.NaN);
  console.log(`\npre-push with ${refs} updated refs, ${rounds} interleaved runs\n`);
  console.log(
    table(
      ['git processes', 'node -e 0', 'the hook', 'over node', 'over node in processor time'],
      [
        [
          String(processes),
          milliseconds(node?.median ?? 0),
          milliseconds(ours?.median ?? 0),
          milliseconds(over),
          milliseconds((ours?.processor ?? Number.NaN) - (node?.processor ?? Number.NaN)),
        ],
      ],
    ),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
