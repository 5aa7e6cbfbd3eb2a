import { join } from 'node:path';
import { runCached } from './code-cache.ts';

runCached(join(__dirname, 'agent-judge.cjs'), require);
