/**
 * A program with background tasks that never ends by itself: a test kills it. Tasks write their process id to files in
 * the directory that is named first; the second argument says whether they are sandboxed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { createTasks } from '../../../src/agent/background/task-manager.ts';
import { createSandbox } from '../../../src/agent/sandbox/sandbox.ts';
import { backgroundRun } from '../../../src/tools/bash.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { nobodyToAsk } from '../../../src/ui/question.ts';

const [root = '', confinement] = process.argv.slice(2);
const context: ToolContext = {
  cwd: root,
  roots: [root],
  env: process.env,
  signal: new AbortController().signal,
  questions: nobodyToAsk('this is a test'),
  ...(confinement === 'sandboxed'
    ? {
        sandbox: createSandbox({
          settings: { requireSandbox: true, sandboxNetwork: false },
          onNotice: (message) => console.error(message),
        }),
      }
    : {}),
};
const tasks = createTasks();
const commands = [
  'echo $$ > plain; exec sleep 600',
  `trap '' TERM HUP INT; echo $$ > stubborn; while :; do sleep 1; done`,
  `sleep 600 & echo $! > child; wait`,
  `setsid sh -c 'echo $$ > apart; exec sleep 600' & wait`,
];
for (const command of commands) {
  tasks.start({ kind: 'shell', description: command, run: backgroundRun({ command }, null, context, null) });
}
const timer = setInterval(async () => {
  if (['plain', 'stubborn', 'child', 'apart'].every((name) => existsSync(join(root, name)))) {
    clearInterval(timer);
    console.log('ready');
    if (confinement === 'stop') {
      await tasks.stopAll();
      console.log('stopped');
    }
  }
}, 20);
