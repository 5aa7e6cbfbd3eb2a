import { Box, Text, useStdout } from 'ink';
import { type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react';
import type { Paint } from '../paint.ts';
import type { Editor } from './editor.ts';
import { markdownLine } from './markdown-line.ts';
import { dialogLines } from './permission-dialog.ts';
import type { Screen, ScreenState } from './screen.ts';
import { statusLine } from './status-line.ts';
import { clip, clipCells, terminalText } from './terminal-text.ts';
import { callLine } from './tool-call-lines.ts';

/** Shown while the prompt is empty. */
const keysInShort = ' Enter sends · \\ Enter: new line · Shift+Tab: mode · Ctrl+C: quit';

/** How many running calls and queued prompts are listed. */
const listed = 4;

/** How many lines of the prompt are shown around the cursor. */
const editorLines = 8;

/**
 * The whole UI. Finished lines are written once, above what still changes, and belong to the terminal from then on: it
 * wraps them when it is resized, and nothing here remembers them. (ink's `Static` would keep them all.)
 */
export function View({ screen, paint, isHidden }: { screen: Screen; paint: Paint; isHidden: boolean }): ReactNode {
  const state = useSyncExternalStore(screen.subscribe, screen.get);
  const { write } = useStdout();
  useLayoutEffect(() => {
    const text = screen.takePrinted();
    if (text !== '') {
      write(text);
    }
  });
  return isHidden ? null : <Live state={state} paint={paint} />;
}

function Live({ state, paint }: { state: ScreenState; paint: Paint }): ReactNode {
  const [dialog] = state.dialogs;
  return (
    <Box flexDirection="column" marginTop={1}>
      {dialog === undefined ? (
        <>
          <Tail state={state} paint={paint} />
          <Running state={state} paint={paint} />
          <Prompt editor={state.editor} columns={state.size.columns} placeholder={keysInShort} paint={paint} />
        </>
      ) : (
        <>
          <Lines lines={dialogLines(dialog, { ...state.size, rows: state.size.rows - 3 }, paint)} />
          {dialog.reason === null ? null : (
            <Prompt editor={dialog.reason} columns={state.size.columns} placeholder="" paint={paint} />
          )}
        </>
      )}
      <Text>
        {clipCells(
          state.hint === null ? statusLine(state.status, paint) : paint.yellow(state.hint),
          state.size.columns,
        )}
      </Text>
    </Box>
  );
}

function Lines({ lines }: { lines: readonly string[] }): ReactNode {
  return lines.length === 0 ? null : <Text>{lines.join('\n')}</Text>;
}

/** The model's text that has no line end yet: its last part, so that it never fills the screen. */
function Tail({ state: { transcript, size }, paint }: { state: ScreenState; paint: Paint }): ReactNode {
  const room = Math.max(size.columns, Math.floor((size.columns * (size.rows - 12)) / 2));
  const text = terminalText(transcript.tail.trimEnd());
  const shown = text.length > room ? `…${text.slice(-room).replace(/^[\udc00-\udfff]/, '')}` : text;
  return shown === '' ? null : <Text>{markdownLine(shown, transcript.inCode, paint).painted}</Text>;
}

function Running({ state, paint }: { state: ScreenState; paint: Paint }): ReactNode {
  const { transcript, runningSince, now, queued, size } = state;
  const calls = [
    ...Object.values(transcript.agents).map((label) => `${paint.cyan('◆')} ${label}`),
    ...transcript.calls.map(({ tool, input }) => `${paint.yellow('○')} ${callLine(tool, input, paint)}`),
  ];
  const hidden = calls.length - listed;
  const waiting = queued
    .slice(0, listed)
    .map((text) => paint.dim(`› ${clip(terminalText(text).replaceAll('\n', ' '), 200)} (queued)`));
  const elapsed = runningSince === null ? null : Math.max(0, Math.floor((now - runningSince) / 1000));
  const lines = [
    ...calls.slice(0, listed),
    ...(hidden > 0 ? [paint.dim(`  … ${hidden} more`)] : []),
    ...(elapsed === null ? [] : [paint.dim(`working ${elapsed}s · Ctrl+C interrupts`)]),
    ...waiting,
  ];
  return lines
    .map((line, row) => ({ line, row }))
    .map(({ line, row }) => <Text key={row}>{clipCells(line, size.columns)}</Text>);
}

interface PromptProps {
  readonly editor: Editor;
  readonly columns: number;
  /** Shown where nothing is written. */
  readonly placeholder: string;
  readonly paint: Paint;
}

function Prompt({ editor, columns, placeholder, paint }: PromptProps): ReactNode {
  return (
    <Box>
      {/* Shrunk by a part of a cell, it would push the line over the edge: a row that ink does not know of. */}
      <Box flexShrink={0}>
        <Text>{paint.cyan('›')} </Text>
      </Box>
      <Box flexGrow={1} flexShrink={1}>
        {editor.text === '' ? (
          <Text>{clipCells(`\x1b[7m \x1b[27m${paint.dim(placeholder)}`, columns - 2)}</Text>
        ) : (
          <Text>{editorText(editor, columns)}</Text>
        )}
      </Box>
    </Box>
  );
}

/** The lines around the cursor, with the character under it inverted. */
function editorText({ text, cursor }: Editor, columns: number): string {
  const room = columns * editorLines;
  const start = Math.max(0, cursor - room / 2);
  const before = terminalText(text.slice(start, cursor)).split('\n').slice(-editorLines);
  const [under = ' '] = text.slice(cursor, cursor + 20).match(/^(?:\P{M}\p{M}*)/u) ?? [];
  const inverted = under === '\n' ? '\x1b[7m \x1b[27m\n' : `\x1b[7m${terminalText(under)}\x1b[27m`;
  const after = terminalText(text.slice(cursor + under.length, cursor + room / 2)).split('\n');
  return before.join('\n') + inverted + after.slice(0, Math.max(1, editorLines - before.length)).join('\n');
}
