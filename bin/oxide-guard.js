#!/usr/bin/env node
// Git and the agents start `hook …` for every commit, push and command: those go to a small bundle of their own.
import { createRequire } from 'node:module';

const hookBundles = { 'commit-msg': 'commit-msg', 'pre-push': 'push', 'pre-receive': 'push', update: 'push' };
const [command, hook] = process.argv.slice(2);
const bundle = command === 'hook' ? (hook === '--agent' ? 'agent' : hookBundles[hook]) : undefined;
if (bundle === undefined) {
  const { main } = await import('../dist/cli/cli.mjs');
  await main(process.argv.slice(2));
} else {
  // The bundles take the words that follow their own name; the push bundle serves three hooks and takes its hook's too.
  process.argv.splice(2, bundle === 'push' ? 1 : 2);
  createRequire(import.meta.url)(`../dist/hook/${bundle}.cjs`);
}
