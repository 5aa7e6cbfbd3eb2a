import type { AgentEvent } from '../agent/event.ts';
import type { UsageReport } from '../agent/usage-report.ts';
import type { OxideError } from '../errors.ts';
import { count } from '../guards/wording.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import { findingLines, printable } from '../ui/findings.ts';

export const outputFormats = ['text', 'json', 'stream-json'] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** Where a session without the terminal UI shows itself. */
export interface SessionOutput {
  event(event: AgentEvent): void;
  /** What the program itself has to say. */
  notice(text: string): void;
  /** Why a prompt ended with an error. */
  error(error: OxideError): void;
  /** At the end of the session. */
  report(report: UsageReport, sessionId: string): void;
}

export function sessionOutput(format: OutputFormat, console: Console, write = writeOut): SessionOutput {
  switch (format) {
    case 'text':
      return plainOutput(console, write);
    case 'json':
      return jsonOutput(console, (event) => event.type === 'result');
    case 'stream-json':
      return jsonOutput(console, () => true);
  }
}

function writeOut(text: string): void {
  process.stdout.write(text);
}

/** NDJSON on standard output, and nothing else there. */
function jsonOutput(console: Console, isShown: (event: AgentEvent) => boolean): SessionOutput {
  return {
    event: (event) => {
      if (isShown(event)) {
        console.out(JSON.stringify(event));
      }
    },
    notice: (text) => console.err(printable(text)),
    error: (error) => showError(error, console),
    report: () => {},
  };
}

/** The model's text on standard output; everything else, a line each, on standard error. */
function plainOutput(console: Console, write: (text: string) => void): SessionOutput {
  const { colors } = console;
  let isMidLine = false;
  const breakLine = () => {
    if (isMidLine) {
      write('\n');
      isMidLine = false;
    }
  };
  const line = (text: string) => {
    breakLine();
    console.err(text);
  };
  const linesOf = eventLines(console);
  return {
    event: (event) => {
      if (event.type === 'text') {
        if (event.agent_id === undefined && event.text !== '') {
          write(printable(event.text.replaceAll('\t', '    ')));
          isMidLine = !event.text.endsWith('\n');
        }
        return;
      }
      if (event.type === 'result') {
        breakLine();
      }
      linesOf(event).forEach(line);
    },
    notice: (text) => line(`${colors.yellow('!')} ${printable(text)}`),
    error: (error) => {
      breakLine();
      showError(error, console);
    },
    report: (report, id) => line(colors.dim(`${reportText(report)} · session ${id}`)),
  };
}

/** What a person is told of each event of a session besides the model's text; most are told by nothing. */
function eventLines(console: Console): (event: AgentEvent) => readonly string[] {
  const { colors } = console;
  /** Calls whose denial was told with the guard's findings. */
  const told = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'tool_call': {
        const call = `${colors.bold(printable(event.name))} ${printable(briefly(event.input))}`;
        return [`${colors.cyan('●')} ${call}${ofAgent(event, console)}`];
      }
      case 'permission':
        if (!isGuardDenial(event)) {
          return [];
        }
        told.add(event.id);
        return denialLines(event, console);
      case 'tool_result':
        return told.delete(event.id) ? [] : [resultLine(event, console)];
      case 'checkpoint':
        return [colors.dim(`  checkpoint ${event.checkpoint_id}`)];
      case 'subagent': {
        const { subagent_type: type, agent_id: id, state, description } = event;
        return [`${colors.cyan('●')} ${printable(`${type} ${id} ${state}: ${description}`)}`];
      }
      case 'result': {
        const isBrokenOff = event.stop_reason === 'interrupted' || event.stop_reason === 'max_turns';
        return isBrokenOff ? [colors.yellow(stopped(event))] : [];
      }
      default:
        return [];
    }
  };
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** By its rules, or as nobody could be asked. Another denial is told by the call's result. */
function isGuardDenial({ verdict, findings = [], approval }: EventOf<'permission'>): boolean {
  return verdict === 'deny' && (approval !== undefined || findings.some((finding) => finding.verdict === 'deny'));
}

function denialLines({ findings = [], approval }: EventOf<'permission'>, { colors }: Console): readonly string[] {
  const way =
    approval === undefined
      ? []
      : [pasteable(`Nobody could be asked. To allow exactly this command once: oxide-guard approve ${approval}`)];
  return [...findingLines(findings, colors), ...way].map((line) => `  ${line}`);
}

function resultLine({ is_error, content }: EventOf<'tool_result'>, { colors }: Console): string {
  const [first = '', ...rest] = printable(content.trim().replaceAll('\t', ' ')).split('\n');
  const more = rest.length > 0 ? colors.dim(` (+${count(rest.length, 'line')})`) : '';
  return `  ${is_error ? colors.red('✗') : colors.green('✓')} ${first.slice(0, 160)}${more}`;
}

function ofAgent({ agent_id }: { readonly agent_id?: string }, { colors }: Console): string {
  return agent_id === undefined ? '' : colors.dim(` (${agent_id})`);
}

function briefly(input: unknown): string {
  const text =
    typeof input === 'object' && input !== null
      ? Object.values(input)
          .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
          .join(' ')
      : String(input);
  const [first = ''] = text.split('\n');
  return first.length > 120 || first !== text ? `${first.slice(0, 120)}…` : first;
}

function stopped({ stop_reason, text, turns }: EventOf<'result'>): string {
  return stop_reason === 'max_turns'
    ? pasteable(
        `Stopped after ${count(turns, 'turn')}, as many as it may take. Go on with: oxide-guard agent --continue "…"`,
      )
    : `Interrupted. ${printable(text)}`;
}

function showError(error: OxideError, { err, colors }: Console): void {
  err(`${colors.red('oxide-guard:')} ${printable(error.message)}`);
  if (error.remedy !== null) {
    err(`  ${colors.dim('→')} ${printable(error.remedy)}`);
  }
}

/** `12,345 tokens in (10,000 cached), 678 out, $0.0123`. */
export function reportText({ total, cost }: UsageReport): string {
  const count = (tokens: number) => tokens.toLocaleString('en-US');
  const cached = total.cachedInputTokens > 0 ? ` (${count(total.cachedInputTokens)} cached)` : '';
  const price = cost === null || total.inputTokens === 0 ? '' : `, $${cost.toFixed(4)}`;
  return `${count(total.inputTokens)} tokens in${cached}, ${count(total.outputTokens)} out${price}`;
}
