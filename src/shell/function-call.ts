import { type Call, framed, jumpTarget, type ScriptShell, through } from './call.ts';
import { changed, type FunctionDefinition, type Outcome, type ShellState } from './shell-state.ts';

/** Runs a function of the shell with the call's words (bash(1) "FUNCTIONS"). */
export function runFunction({ node, source }: FunctionDefinition, call: Call, shell: ScriptShell): Outcome {
  const { body } = node;
  const returns = jumpTarget();
  const frame = framed(through(call.frame, `${node.name.value}()`), {
    text: source,
    returns,
    breaks: null,
    continues: null,
  });
  const inside = changed(call.state, { positional: call.argv.slice(1), hidden: new Map() });
  const run = (entered: ShellState) =>
    shell.catchJumps(returns, () =>
      body.type === 'CompoundList'
        ? shell.statements(body.commands, entered, frame)
        : shell.command(body, entered, frame),
    ).outcome;
  const { success, failure } = shell.budget.deeper(() => shell.recursion.start(node, inside, run));
  return {
    success: success && leaveFunction(success, call.state),
    failure: failure && leaveFunction(failure, call.state),
  };
}

/** Puts back the caller's arguments and what the function's local variables hid. */
function leaveFunction(after: ShellState, before: ShellState): ShellState {
  const { positional, hidden } = before;
  if (after.hidden === null || after.hidden.size === 0) {
    return changed(after, { positional, hidden });
  }
  const variables = new Map(after.variables);
  for (const [name, variable] of after.hidden) {
    if (variable === null) {
      variables.delete(name);
    } else {
      variables.set(name, variable);
    }
  }
  return changed(after, { positional, hidden, variables });
}
