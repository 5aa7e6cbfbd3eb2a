import { type Call, type Frame, framed, type ShellProcess, topFrame } from './call.ts';
import { changed, type FunctionDefinition, freshState, inScript, type ShellState } from './shell-state.ts';
import type { Variable } from './variable.ts';

/** A shell at its start. */
interface StartedShell {
  readonly state: ShellState;
  readonly frame: Frame;
  /** What it reads first: the functions that it takes from its environment, its startup files. Empty: nothing. */
  readonly startup: string;
}

/** The shell process that a call starts, where the call stands. @param text what it is going to read */
export function startedShell({ state, frame }: Call, text: string, process: ShellProcess): StartedShell {
  const options = {
    ...process.options,
    zshLists: isZsh(process, text),
    expandAliases: !/^bash\b/.test(process.label) || process.options?.expandAliases === true,
  };
  return {
    state: changed(freshState(state.cwd, inScript(inheritedVariables(state), process.file), options), {
      previousCwd: state.previousCwd,
      functions: exportedFunctions(state, takesFunctions(process, text)),
      name: process.name,
      positional: process.positional,
      path: state.path,
    }),
    frame: framed(topFrame(text), {
      through: [...frame.through, process.label],
      pipes: frame.pipes,
      input: process.input === undefined ? frame.input : process.input,
      output: frame.output,
      errors: frame.errors,
    }),
    startup: [takesFunctions(process, text) === 'no' ? '' : importedFunctions(state), process.startup ?? '']
      .filter((part) => part !== '')
      .join('\n'),
  };
}

/** `zsh -c …`, `zsh file`, or a script whose first line says so. */
function isZsh({ label }: ShellProcess, text: string): boolean {
  return /^zsh\b/.test(label) || /^#!\S*(?:\s+|\/)zsh\b/.test(text);
}

/** The variables a child process of the shell starts with. */
function inheritedVariables(state: ShellState): ReadonlyMap<string, Variable> {
  const inherited = new Map<string, Variable>();
  for (const [name, variable] of state.variables) {
    if (variable.kind === 'unset' || (variable.kind === 'scalar' && variable.exported)) {
      inherited.set(name, variable);
    }
  }
  return inherited;
}

/** Does the shell take functions over from its environment? bash does; what `sh` is, the machine tells. */
function takesFunctions({ label }: ShellProcess, text: string): 'yes' | 'perhaps' | 'no' {
  const [first = ''] = label.split(' ', 1);
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?\S*?(\w+)(?:\s|$)/.exec(text)?.[1];
  const name = first.includes('/') ? (interpreter ?? 'bash') : first;
  return /^r?bash$/.test(name) ? 'yes' : /^(?:dash|ash|zsh|m?ksh)$/.test(name) ? 'no' : 'perhaps';
}

/** The functions that a shell which is started knows: bash(1) "FUNCTIONS". */
function exportedFunctions(
  { functions }: ShellState,
  takes: 'yes' | 'perhaps' | 'no',
): ReadonlyMap<string, FunctionDefinition> {
  const exported = [...functions].filter(([, definition]) => takes !== 'no' && definition.exported === true);
  return functions.size === 0
    ? functions
    : new Map(exported.map(([name, one]) => [name, takes === 'yes' ? one : { ...one, certain: false }]));
}

const functionVariable = /^BASH_FUNC_([\w:.-]+)(?:%%|\(\))$/;

/** Functions that a shell takes from its environment, as their definitions: bash exports them as `BASH_FUNC_name%%`. */
function importedFunctions({ variables }: ShellState): string {
  const definitions: string[] = [];
  for (const [variable, value] of variables) {
    const name = functionVariable.exec(variable)?.[1];
    if (name !== undefined && value.kind === 'scalar' && value.exported && value.value.kind === 'known') {
      definitions.push(`${name} ${value.value.value}`);
    }
  }
  return definitions.join('\n');
}
