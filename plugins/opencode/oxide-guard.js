// oxide-guard: stops shell commands that would endanger this repository. `oxide-guard install --agent opencode` copies
// this file and fills in the two programs.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = 'node';
const hook = fileURLToPath(new URL('../../dist/hook/agent.cjs', import.meta.url));

// Makes node start faster; one that does not know it ends at once with 9.
const fastStart = '--no-rehash-snapshot';

/** @returns {Promise<string>} what the hook answers: one JSON object, or nothing for "no objection" */
function ask(call, options = [fastStart]) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: '', NODE_OPTIONS: '' };
    const child = spawn(program, [...options, hook, '--agent', 'opencode'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 9 && options.length > 0) {
        resolve(ask(call, []));
      } else if (code === 0) {
        resolve(answer);
      } else {
        reject(new Error(`exit code ${code}`));
      }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(call));
  });
}

// The shell, and what writes files: hooks and settings are among them.
const judged = new Set(['bash', 'write', 'edit', 'multiedit', 'patch', 'apply_patch']);

export const OxideGuard = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    if (!judged.has(input.tool)) {
      return;
    }
    const call = { tool: input.tool, args: output.args, cwd: directory, session: input.sessionID };
    const answer = await ask(call).catch((error) => {
      throw new Error(`oxide-guard could not judge this call, so it is refused: ${error.message}`);
    });
    if (answer !== '') {
      throw new Error(JSON.parse(answer).reason);
    }
  },
});
