/**
 * A program that runs command lines in a sandbox, as whoever started it: the directory to work in is named first, then
 * each line. It prints what became of them, and whether anything of the sandbox is left at the end, as JSON.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createSandbox } from '../../src/agent/sandbox/sandbox.ts';

const [root = '', ...lines] = process.argv.slice(2);
const sandbox = createSandbox({
  settings: { requireSandbox: true, sandboxNetwork: false },
  onNotice: (message) => console.error(message),
});
const runs = [];
for (const line of lines) {
  const request = { argv: ['sh', '-c', line], cwd: root, env: process.env, roots: [root] } as const;
  const { argv, env, sandboxed, ended } = await sandbox.confine(request);
  const [program, ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' });
  ended?.();
  runs.push({ line, sandboxed, status, stdout, stderr });
}
sandbox.dispose();
console.log(JSON.stringify({ runs, uid: process.getuid?.(), left: readdirSync(tmpdir()) }));
