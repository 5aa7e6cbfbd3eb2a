/**
 * A session whose model is a script, behind the terminal UI: `node tui-session.js STEPS.json LOG`. Each prompt runs the
 * next list of steps; what the person decides is written to the log, a JSON value a line.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { AgentEvent } from '../../src/agent/event.ts';
import { openTerminalUi } from '../../src/ui/tui/terminal-ui.ts';

/** One thing that happens in a turn. */
export type ScriptedStep =
  | { readonly event: AgentEvent }
  | { readonly permission: Parameters<ReturnType<typeof openTerminalUi>['permissions']['ask']>[0] }
  | { readonly questions: Parameters<ReturnType<typeof openTerminalUi>['questions']['ask']>[0] }
  | { readonly wait: number };

const [stepsFile = '', logFile = ''] = process.argv.slice(2);
const turns = JSON.parse(readFileSync(stepsFile, 'utf8')) as readonly (readonly ScriptedStep[])[];
const log = (entry: unknown) => appendFileSync(logFile, `${JSON.stringify(entry)}\n`);
let turn = new AbortController();
const ui = openTerminalUi(
  {
    interrupt: () => turn.abort(),
    changeMode: (mode) => log({ mode }),
    quit: () => {
      log({ quit: true });
      turn.abort();
    },
  },
  {
    input: process.stdin,
    output: process.stdout,
    environment: process.env,
    status: { branch: 'main', ahead: 1, behind: 2, model: 'scripted', tokens: 0, mode: 'default' },
  },
);

async function play(step: ScriptedStep, signal: AbortSignal): Promise<void> {
  if ('event' in step) {
    ui.show(step.event);
  } else if ('permission' in step) {
    log(await ui.permissions.ask(step.permission, signal));
  } else if ('questions' in step) {
    log(await ui.questions.ask(step.questions, signal));
  } else {
    await setTimeout(step.wait, undefined, { signal }).catch(() => undefined);
  }
}

const usage = { inputTokens: 1000, outputTokens: 200, cachedInputTokens: 0 };
let count = 0;
for (let prompt = await ui.nextPrompt(); prompt !== null; prompt = await ui.nextPrompt()) {
  log({ prompt });
  turn = new AbortController();
  for (const step of turns[count] ?? []) {
    if (!turn.signal.aborted) {
      await play(step, turn.signal);
    }
  }
  count += 1;
  ui.show({
    type: 'result',
    stop_reason: turn.signal.aborted ? 'interrupted' : 'end_turn',
    text: '',
    turns: 1,
    usage,
    session_id: 'scripted',
  });
  ui.setStatus({ tokens: 1200 * count });
}
await ui.close();
log({ closed: true });
