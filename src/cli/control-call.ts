import { systemClock } from '../control/clock.ts';
import { type Control, openControl } from '../control/control.ts';
import { localAdmin } from '../control/principal.ts';
import { ExitCode, OxideError } from '../errors.ts';
import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
import type { Command } from './command.ts';
import { controlStore, printNotice } from './control-environment.ts';
import { type GivenOptions, textOf } from './given-words.ts';

/** What a tool's action gave, by the names of the wire. */
export type ControlData = Readonly<Record<string, unknown>>;

/** The control plane's tools, for the person at this machine. */
export interface ControlTools {
  readonly control: Control;
  /**
   * Calls a tool as a client would, with the rights of the local admin.
   *
   * @throws OxideError the failure that a client would be answered with
   */
  call(tool: string, input: ControlData): Promise<ControlData>;
}

/** What an action of a command works with. */
export interface ControlRequest extends ControlTools {
  /** The word after the action; not empty where the action needs one. */
  readonly id: string;
  readonly console: Console;
  /** Prints one JSON document instead of lines. */
  readonly json: boolean;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** The value of an option, by its name in camel case; null: it is absent. */
  option(name: string): string | null;
  /** Whether an option without a value was given. */
  flag(name: string): boolean;
  show(data: ControlData, lines: () => readonly string[]): void;
}

interface ControlAction {
  /** What the word after it is, where it can't do without: `ID`. */
  readonly needs?: string;
  run(request: ControlRequest): Promise<void>;
}

export interface ControlCommandDefinition {
  readonly name: string;
  readonly description: string;
  /** By flag. */
  readonly options: Readonly<Record<string, string>>;
  /** The first is what the command does when it is given none. */
  readonly actions: Readonly<Record<string, ControlAction>>;
}

/** Makes a command of actions over the control plane's tools. */
export function controlCommand({ name, description, options, actions }: ControlCommandDefinition): Command {
  const names = Object.keys(actions);
  const shown = Object.entries(actions).map(([action, { needs }]) =>
    needs === undefined ? action : `${action} ${needs.split(' ', 1)}`,
  );
  return {
    actions: names,
    register(cli, console) {
      const command = cli
        .command(`${name} [action] [id]`, description)
        .usage(`${name} [${shown.join(' | ')}]`)
        .option('--store <url>', 'The store, as for `oxide-guard mcp`; default: OXIDE_GUARD_STORE, or SQLite')
        .option('--json', 'Print one JSON document');
      for (const [flag, text] of Object.entries(options)) {
        command.option(flag, text);
      }
      command.action((action = names[0] ?? '', id = '', given: GivenOptions = {}) => {
        const option = (key: string) => textOf(given[key]);
        const json = given.json === true;
        const chosen = Object.hasOwn(actions, action) ? actions[action] : undefined;
        if (chosen === undefined) {
          throw usage('unknown-action', `There is no '${name} ${action}'.`, `${name} [${names.join('|')}]`);
        }
        if (chosen.needs !== undefined && id === '') {
          throw usage('usage', `'${name} ${action}' needs one more word.`, `${name} ${action} ${chosen.needs}`);
        }
        if (chosen.needs === undefined && id !== '') {
          throw usage('usage', `'${id}' is one word too many.`, `${name} ${action}`);
        }
        const right = `oxide-guard ${name} ${action}${chosen.needs === undefined ? '' : ` ${chosen.needs}`}`;
        return withControl(option('store'), console, right, ({ signal, ...tools }) =>
          chosen.run({
            ...tools,
            id,
            console,
            json,
            signal,
            flag: (flag) => given[flag] === true,
            option,
            show: (data, lines) => {
              for (const line of json ? [JSON.stringify(data)] : lines()) {
                console.out(line);
              }
            },
          }),
        );
      });
    },
  };
}

/** The options that were given, as fields of an input. */
export function givenFields(fields: Readonly<Record<string, string | null>>): ControlData {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== null));
}

function usage(code: string, message: string, remedy: string): OxideError {
  return new OxideError(code, message, { remedy: `oxide-guard ${remedy}`, exitCode: ExitCode.usage });
}

type Work = (tools: ControlTools & { readonly signal: AbortSignal }) => Promise<void>;

/**
 * Opens the control plane's store for one command, and closes it. Ctrl+C interrupts what waits.
 *
 * @param right the command as it is meant to be given
 */
async function withControl(store: string | null, console: Console, right: string, work: Work): Promise<ExitCode> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new OxideError('interrupted', 'Interrupted.', interrupted));
  process.on('SIGINT', interrupt);
  const control = await openControl({
    env: process.env,
    store: controlStore(store),
    clock: systemClock,
    notify: (text) => printNotice(console, text),
  });
  const { signal } = interruption;
  const call = async (tool: string, input: ControlData): Promise<ControlData> => {
    const result = await control.dispatcher.call(tool, input, {
      principal: localAdmin,
      signal,
      progress: (message, done, total) => showProgress(console, message, done, total),
    });
    if (result.ok) {
      return result.data;
    }
    const { code, message } = result.error;
    const remedy = code === 'invalid-input' ? right : (lists[code] ?? result.error.remedy);
    throw new OxideError(code, message, {
      ...(remedy === null ? {} : { remedy }),
      exitCode: exitCodes[code] ?? ExitCode.failed,
    });
  };
  try {
    await work({ control, call, signal });
    return ExitCode.fine;
  } finally {
    process.off('SIGINT', interrupt);
    await control.close();
  }
}

/** What a person does where a client would call the tool with `action=list`. */
const lists: Readonly<Record<string, string>> = {
  'unknown-project': 'oxide-guard projects',
  'unknown-session': 'oxide-guard sessions',
  'unknown-schedule': 'oxide-guard schedules',
  'unknown-token': 'oxide-guard tokens',
};

const interrupted = { exitCode: ExitCode.interrupted };

const exitCodes: Readonly<Record<string, ExitCode>> = {
  'invalid-input': ExitCode.usage,
  'invalid-scope': ExitCode.usage,
  interrupted: ExitCode.interrupted,
};

function showProgress(console: Console, message: string, done?: number, total?: number): void {
  const share = done === undefined || total === undefined ? '' : ` ${Math.round((100 * done) / total)} %`;
  console.err(console.colors.dim(`${printable(message)}${share}`));
}
