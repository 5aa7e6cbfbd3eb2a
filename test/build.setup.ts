import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The end-to-end tests drive the built files; `npm test` builds them first, a watching vitest does it here once. */
export function setup(): void {
  if (!existsSync('dist/cli/cli.js') || process.env['OXIDE_GUARD_REBUILD'] === '1') {
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  }
}
