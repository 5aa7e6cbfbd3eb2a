#!/usr/bin/env node
// Git and the agents start `hook …` for every commit, push and command: those go to a small bundle of their own, and
// `check` to the agents'.
import { createRequire } from 'node:module';

const hookBundles = { 'commit-msg': 'commit-msg', 'pre-push': 'push', 'pre-receive': 'push', update: 'push' };
const [command, hook = '', agent] = process.argv.slice(2);
if (hook.startsWith('--agent=')) {
  process.argv.splice(3, 1, '--agent', hook.slice('--agent='.length));
}
const isAgent = hook.startsWith('--agent=') || (hook === '--agent' && agent !== undefined);
const bundle = command === 'hook' ? (isAgent ? 'agent' : Object.hasOwn(hookBundles, hook) && hookBundles[hook]) : null;
// Git never gives a hook `--help` as its only word.
if (command === 'check' && hook !== '--stdin') {
  createRequire(import.meta.url)('../dist/hook/agent.cjs');
} else if (!bundle || (process.argv.length === 5 && process.argv[4] === '--help')) {
  const { main } = await import('../dist/cli/cli.mjs');
  await main(process.argv.slice(2));
} else {
  // The bundles take the words that follow their own name; the push bundle serves three hooks and takes its hook's too.
  process.argv.splice(2, bundle === 'push' ? 1 : 2);
  createRequire(import.meta.url)(`../dist/hook/${bundle}.cjs`);
}
