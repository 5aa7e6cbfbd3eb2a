/**
 * Makes `dist` of the sources: `node build.mjs [--logLevel LEVEL]`. The bundler's own command line begins with a remark
 * on the version of node; the programs are for older ones, too.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from 'tsdown';

const { values } = parseArgs({ options: { logLevel: { type: 'string', default: 'info' } } });
rmSync('dist', { recursive: true, force: true });
try {
  await build({ logLevel: values.logLevel });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
