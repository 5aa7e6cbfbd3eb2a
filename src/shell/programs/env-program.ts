import { quoteWord } from '../../quote.ts';
import type { Call, Shell } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { either, type Outcome } from '../shell-state.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { joinWords } from '../words/read-again.ts';
import { runCommandString } from './shell-invocation.ts';
import { readAssignment } from './wrapper-words.ts';

/** `env`: `-i` forgets the environment, `-u` one variable, `-S` splits a word into several. */
export function runEnvironment(call: Call, options: readonly Word[], shell: Shell): Outcome {
  const changes = new Map<string, Word | null>();
  const values = options.map((word) => (word.kind === 'known' ? word.value : ''));
  const assigned = call.state.variables;
  if (values.some((value) => value === '-' || /^-[a-z0]*i/.test(value) || value === '--ignore-environment')) {
    for (const name of [...Object.keys(shell.environment), ...assigned.keys()]) {
      changes.set(name, null);
    }
  }
  for (const [index, value] of values.entries()) {
    const name =
      /^(?:-u|--unset=)(.+)$/.exec(value)?.[1] ?? (value === '-u' || value === '--unset' ? values[index + 1] : null);
    if (name) {
      changes.set(name, null);
    }
  }
  const own = ownAssignments(call);
  const state = withAssignments(call.state, new Map([...changes, ...own.assignments]));
  const split = values.findIndex((value) => /^(?:-[v]*S|--split-string)/.test(value));
  if (split !== -1) {
    const attached = (values[split] ?? '').replace(/^(?:-v*S|--split-string=?)/, '');
    const text = attached === '' ? (values[split + 1] ?? '') : attached;
    const after = [...options.slice(split + (attached === '' ? 2 : 1)), ...call.argv];
    const words = joinWords(after);
    return words.kind === 'unknown'
      ? runCommandString(call, shell, 'env -S', words, [])
      : shell.runText(`env ${text} ${quotedWords(after)}`, state, call.frame);
  }
  if (own.command.length === 0) {
    shell.emitCommand({ ...call, argv: [knownWord('env'), ...options] });
    return either(state);
  }
  return shell.run({ ...call, state, argv: own.command });
}

/** What follows a split word is not split. */
function quotedWords(words: readonly Word[]): string {
  return words.map((word) => (word.kind === 'known' ? quoteWord(word.value) : '')).join(' ');
}

function ownAssignments(call: Call): { assignments: Map<string, Word>; command: readonly Word[] } {
  const assignments = new Map<string, Word>();
  let index = 0;
  for (; index < call.argv.length; index += 1) {
    const assignment = readAssignment(call.argv[index]);
    if (assignment === null) {
      break;
    }
    assignments.set(assignment.name, assignment.value);
  }
  return { assignments, command: call.argv.slice(index) };
}
