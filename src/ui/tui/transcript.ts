import type { AgentEvent } from '../../agent/event.ts';
import type { Finding } from '../../guards/finding.ts';
import { count } from '../../guards/wording.ts';
import { findingLines } from '../findings.ts';
import type { Paint } from '../paint.ts';
import { markdownLine } from './markdown-line.ts';
import { clip, fold, terminalLine, terminalText, wrapWords } from './terminal-text.ts';
import { callLine, diffLines, isResultFolded, resultLines } from './tool-call-lines.ts';

/** A call whose result has not come. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly agentId: string | null;
  /** The guard's findings with their evidence. */
  readonly findings: readonly string[];
  /** Who decided, where it was not the guard alone. */
  readonly decision: readonly string[];
  readonly standing: 'open' | 'asked' | 'denied';
}

/** What lines are made for. */
export interface Page {
  readonly paint: Paint;
  readonly columns: number;
}

/** A session on the screen: what still changes. What is finished leaves as {@link Step.printed}. */
export interface Transcript {
  /** The model's text since the last line end. */
  readonly tail: string;
  readonly inCode: boolean;
  readonly calls: readonly OpenCall[];
  /** What the running subagents do, by their id. */
  readonly agents: Readonly<Record<string, string>>;
  /** Taken before the call whose result comes next; null: none. */
  readonly checkpoint: string | null;
  /** The last result that was folded; null: there was none. */
  readonly folded: FoldedResult | null;
  /** What was printed last: texts follow each other without a blank line. */
  readonly last: 'nothing' | 'text' | 'block';
}

export interface FoldedResult {
  readonly call: string;
  readonly content: string;
}

export interface Step {
  readonly transcript: Transcript;
  /** Lines that are finished and will not change. */
  readonly printed: readonly string[];
}

export const emptyTranscript: Transcript = {
  tail: '',
  inCode: false,
  calls: [],
  agents: {},
  checkpoint: null,
  folded: null,
  last: 'nothing',
};

/** Text without a line end is printed at this length, in UTF-16 units: the screen and the memory are bounded. */
const tailLimit = 4000;

/** What an event adds to the transcript. Text of subagents is not shown: it comes back as their call's result. */
export function takeEvent(transcript: Transcript, event: AgentEvent, page: Page): Step {
  switch (event.type) {
    case 'session':
      return nothing(transcript);
    case 'text':
      return event.agent_id === undefined ? takeText(transcript, event.text, page) : nothing(transcript);
    case 'tool_call': {
      const step = finishText(transcript, page);
      const { id, name: tool, input, agent_id: agentId = null } = event;
      const calls = [
        ...step.transcript.calls,
        { id, tool, input, agentId, findings: [], decision: [], standing: 'open' as const },
      ];
      return { ...step, transcript: { ...step.transcript, calls } };
    }
    case 'permission':
      return nothing({ ...transcript, calls: judged(transcript.calls, event, page) });
    case 'tool_result':
      return takeResult(transcript, event, page);
    case 'checkpoint':
      return nothing({ ...transcript, checkpoint: event.checkpoint_id });
    case 'subagent':
      return takeSubagent(transcript, event, page);
    case 'result':
      return takeEnd(transcript, event, page);
  }
}

/** How much of a prompt is shown; a paste may be a whole file. */
const promptShown = { lines: 20, length: 1000 };

/** A person's prompt, as it enters the conversation. */
export function takePrompt(transcript: Transcript, text: string, { paint, columns }: Page): Step {
  const { lines, hidden } = fold(terminalText(text).split('\n'), promptShown.lines);
  const shown = lines.map((line, index) => {
    const painted = paint.bold(clip(line, promptShown.length));
    return index === 0 ? `${paint.cyan('›')} ${painted}` : `  ${painted}`;
  });
  const more = hidden === 0 ? [] : [paint.dim(`  … ${hidden} more lines`)];
  return block(transcript, [...shown, ...more], { paint, columns });
}

/** Lines that are ready for the terminal. */
export function takeLines(transcript: Transcript, lines: readonly string[], page: Page): Step {
  return block(transcript, lines, page);
}

/** The whole of the last result that was folded. */
export function unfold(transcript: Transcript, page: Page): Step {
  const { folded } = transcript;
  if (folded === null) {
    return nothing(transcript);
  }
  const lines = terminalText(folded.content).trimEnd().split('\n');
  return block(transcript, [`${page.paint.dim('○')} ${folded.call}`, ...lines.map((line) => `  ${line}`)], page);
}

/** A line of the program itself. */
export function takeNotice(transcript: Transcript, text: string, page: Page): Step {
  return block(transcript, terminalText(text).split('\n').map(page.paint.dim), page);
}

const nothing = (transcript: Transcript): Step => ({ transcript, printed: [] });

function takeText(transcript: Transcript, text: string, page: Page): Step {
  const lines = `${transcript.tail}${text}`.split('\n');
  const tail = lines.pop() ?? '';
  if (tail.length > tailLimit) {
    return printText({ ...transcript, tail: '' }, [...lines, tail], page);
  }
  return printText({ ...transcript, tail }, lines, page);
}

function printText(transcript: Transcript, lines: readonly string[], page: Page): Step {
  if (lines.length === 0) {
    return nothing(transcript);
  }
  // Models begin and end with blank lines; between blocks one is enough.
  const opens = transcript.last !== 'text';
  const first = opens ? lines.findIndex((line) => line.trim() !== '') : 0;
  if (first === -1) {
    return nothing(transcript);
  }
  let { inCode } = transcript;
  const printed = lines.slice(first).map((line) => {
    const marked = markdownLine(terminalText(line), inCode, page.paint);
    // Code is left as it is: it may be copied.
    const isProse = !inCode && !marked.inCode;
    inCode = marked.inCode;
    return isProse ? wrapWords(marked.painted, page.columns) : marked.painted;
  });
  const space = transcript.last === 'block' ? [''] : [];
  return { transcript: { ...transcript, inCode, last: 'text' }, printed: [...space, ...printed] };
}

/** Prints the text that has no line end yet: something else comes. */
export function finishText(transcript: Transcript, page: Page): Step {
  const step =
    transcript.tail === '' ? nothing(transcript) : printText({ ...transcript, tail: '' }, [transcript.tail], page);
  return { ...step, transcript: { ...step.transcript, inCode: false } };
}

function block(transcript: Transcript, lines: readonly string[], page: Page): Step {
  const { transcript: open, printed } = finishText(transcript, page);
  const space = open.last === 'nothing' ? [] : [''];
  return { transcript: { ...open, last: 'block' }, printed: [...printed, ...space, ...lines] };
}

type PermissionEvent = Extract<AgentEvent, { readonly type: 'permission' }>;

function judged(calls: readonly OpenCall[], event: PermissionEvent, page: Page): readonly OpenCall[] {
  return calls.map((call) => (call.id === event.id ? judgedCall(call, event, page) : call));
}

/** A call that is simply allowed needs no word, and a denial by the guard is told by its findings. */
function judgedCall(call: OpenCall, event: PermissionEvent, page: Page): OpenCall {
  const { verdict, rule, message, findings = [] } = event;
  const lines = findings.length === 0 ? call.findings : findingsOn(page, findings);
  const [first = '', ...rest] = terminalText(message).split('\n');
  // What follows the sentence may hold a command, which stays whole.
  const told = (sentence: string) => [wrapWords(`  ${sentence}`, page.columns), ...rest.map((line) => `    ${line}`)];
  switch (verdict) {
    case 'ask':
      return { ...call, findings: lines, standing: 'asked' };
    case 'allow': {
      const isAnswer = call.standing === 'asked' && message !== '';
      return { ...call, findings: lines, decision: isAnswer ? told(`${page.paint.green('✓')} ${first}`) : [] };
    }
    case 'deny': {
      const isGuards = findings.some((finding) => finding.verdict === 'deny');
      const sentence = `${page.paint.red('✗')} ${first} ${page.paint.dim(`[${terminalLine(rule)}]`)}`;
      return { ...call, findings: lines, decision: isGuards ? [] : told(sentence), standing: 'denied' };
    }
  }
}

/** Only the sentences are wrapped: evidence is short, and a suggestion is there to be pasted. */
function findingsOn({ paint, columns }: Page, findings: readonly Finding[]): readonly string[] {
  return findingLines(findings, paint).map((line) =>
    line.startsWith('    ') ? `  ${line}` : wrapWords(`  ${line}`, columns),
  );
}

type ResultEvent = Extract<AgentEvent, { readonly type: 'tool_result' }>;

function takeResult(transcript: Transcript, event: ResultEvent, page: Page): Step {
  const call = transcript.calls.find(({ id }) => id === event.id);
  const calls = transcript.calls.filter(({ id }) => id !== event.id);
  const name = callLine(event.name, call?.input, page.paint);
  const from = call?.agentId == null ? '' : `${page.paint.dim(terminalLine(call.agentId))} `;
  const head = `${event.is_error ? page.paint.red('●') : page.paint.green('●')} ${from}${name}`;
  const judgement = [...(call?.findings ?? []), ...(call?.decision ?? [])];
  if (call?.standing === 'denied') {
    // A refused call's result repeats to the model what the findings and the decision say here.
    return block({ ...transcript, calls }, [head, ...judgement], page);
  }
  const result = { tool: event.name, content: event.content, isError: event.is_error };
  const changes = result.isError ? [] : diffLines(call?.input, page.paint);
  const { checkpoint } = transcript;
  const undo = checkpoint === null ? [] : [page.paint.dim(`  ◇ checkpoint ${terminalLine(checkpoint)}`)];
  const folded = isResultFolded(result) ? { call: `${from}${name}`, content: event.content } : transcript.folded;
  return block(
    { ...transcript, calls, folded, checkpoint: null },
    [head, ...judgement, ...undo, ...changes, ...resultLines(result, page.paint)],
    page,
  );
}

type SubagentEvent = Extract<AgentEvent, { readonly type: 'subagent' }>;

function takeSubagent(transcript: Transcript, event: SubagentEvent, page: Page): Step {
  const { agent_id: id, state, subagent_type: type, description } = event;
  const label = `${page.paint.bold(terminalLine(type))} ${clip(terminalLine(description), 100)}`;
  const { [id]: _, ...others } = transcript.agents;
  switch (state) {
    case 'started':
      return nothing({ ...transcript, agents: { ...others, [id]: label } });
    case 'finished':
      return block(
        { ...transcript, agents: others },
        [`${page.paint.green('◆')} ${label} ${page.paint.dim('finished')}`],
        page,
      );
    case 'failed':
      return block(
        { ...transcript, agents: others },
        [`${page.paint.red('◆')} ${label} ${page.paint.red('failed')}`],
        page,
      );
  }
}

type EndEvent = Extract<AgentEvent, { readonly type: 'result' }>;

function takeEnd(transcript: Transcript, event: EndEvent, page: Page): Step {
  const { transcript: ended, printed } = finishText(transcript, page);
  const cut = ended.calls.map(
    ({ tool, input }) => `${page.paint.dim('○')} ${callLine(tool, input, page.paint)} ${page.paint.dim('(no result)')}`,
  );
  const end = endLines(event, page);
  const closed = { ...ended, calls: [], agents: {}, checkpoint: null };
  const step = cut.length + end.length === 0 ? nothing(closed) : block(closed, [...cut, ...end], page);
  return { transcript: { ...step.transcript, last: 'block' }, printed: [...printed, ...step.printed] };
}

/** Why the turn ended, where it is not simply done. */
function endLines({ stop_reason: reason, text, turns }: EndEvent, page: Page): readonly string[] {
  switch (reason) {
    case 'end_turn':
      return [];
    case 'interrupted':
      return [page.paint.yellow('Interrupted. Say what to do instead, or press Ctrl+C to quit.')];
    case 'max_turns':
      return [
        page.paint.yellow(`Stopped after ${count(turns, 'turn')}, the limit (--max-turns). A new prompt goes on.`),
      ];
    case 'error':
      return terminalText(text === '' ? 'The session failed.' : text)
        .split('\n')
        .map((line, index) => (index === 0 ? `${page.paint.red('✗')} ${line}` : `  ${line}`));
  }
}
