import { strongest } from '../../guards/finding.ts';
import { findingLines } from '../findings.ts';
import type { Paint } from '../paint.ts';
import { type PermissionAnswer, type PermissionRequest, sessionOffer } from '../permission.ts';
import { type Editor, emptyEditor, pressKey } from './editor.ts';
import type { Key } from './keyboard.ts';
import { fitRows, terminalLine, terminalText } from './terminal-text.ts';
import { wholeCall } from './tool-call-lines.ts';

/** A question about one tool call, while it is open. */
export interface PermissionDialog {
  readonly request: PermissionRequest;
  readonly selected: number;
  /** The reason for a denial, being written; null: none is asked for yet. */
  readonly reason: Editor | null;
}

export type DialogOutcome =
  | { readonly kind: 'open'; readonly dialog: PermissionDialog }
  | { readonly kind: 'answered'; readonly answer: PermissionAnswer }
  /** The person wants to see all that is to be decided on. */
  | { readonly kind: 'show' };

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly name: 'once' | 'session' | 'deny';
}

/** Where the guard objects, Enter alone must not let the command through. */
export function openDialog(request: PermissionRequest): PermissionDialog {
  const objects = strongest(request.findings) !== 'allow';
  const selected = objects ? choicesOf(request).findIndex(({ name }) => name === 'deny') : 0;
  return { request, selected, reason: null };
}

/** What a key does: letters and Enter choose, Esc denies, Esc while a reason is written goes back. */
export function pressDialogKey(dialog: PermissionDialog, key: Key): DialogOutcome {
  if (dialog.reason !== null) {
    return writeReason(dialog, dialog.reason, key);
  }
  const choices = choicesOf(dialog.request);
  const step = key.name === 'down' || (key.name === 'tab' && !key.shift) ? 1 : -1;
  switch (key.name) {
    case 'up':
    case 'down':
    case 'tab':
      return {
        kind: 'open',
        dialog: { ...dialog, selected: (dialog.selected + step + choices.length) % choices.length },
      };
    case 'escape':
      return { kind: 'answered', answer: { kind: 'deny', reason: '' } };
    case 'return':
      return choose(dialog, choices[dialog.selected]?.name ?? 'deny');
    default: {
      if (key.text === 'v') {
        return { kind: 'show' };
      }
      const chosen = choices.find((choice) => choice.key === key.text);
      return chosen === undefined ? { kind: 'open', dialog } : choose(dialog, chosen.name);
    }
  }
}

function choose(dialog: PermissionDialog, name: Choice['name']): DialogOutcome {
  return name === 'deny'
    ? { kind: 'open', dialog: { ...dialog, reason: emptyEditor() } }
    : { kind: 'answered', answer: { kind: name } };
}

function writeReason(dialog: PermissionDialog, reason: Editor, key: Key): DialogOutcome {
  if (key.name === 'escape') {
    return { kind: 'open', dialog: { ...dialog, reason: null } };
  }
  const outcome = pressKey(reason, key);
  switch (outcome.kind) {
    case 'edited':
      return { kind: 'open', dialog: { ...dialog, reason: outcome.editor } };
    case 'submitted':
      return { kind: 'answered', answer: { kind: 'deny', reason: outcome.text } };
    case 'ignored':
      return key.name === 'return'
        ? { kind: 'answered', answer: { kind: 'deny', reason: '' } }
        : { kind: 'open', dialog };
  }
}

function choicesOf({ sessionRule }: PermissionRequest): readonly Choice[] {
  return [
    { key: 'y', label: 'allow once', name: 'once' },
    ...(sessionRule === null
      ? []
      : [
          {
            key: 'a',
            label: `allow for the session: ${terminalLine(sessionOffer(sessionRule))}`,
            name: 'session' as const,
          },
        ]),
    { key: 'n', label: 'deny, and say why', name: 'deny' },
  ];
}

/** What is to be decided on, whole. */
export function matterLines(
  { tool, input, agentId, reason, findings }: PermissionRequest,
  paint: Paint,
): readonly string[] {
  const by = agentId === undefined ? '' : ` ${paint.dim(`(subagent ${terminalLine(agentId)})`)}`;
  const known = findingLines(findings, paint).map((line) => `  ${line}`);
  // The reason repeats what the findings say, where there are any.
  const why =
    known.length > 0
      ? known
      : terminalText(reason)
          .split('\n')
          .map((line) => `  ${paint.yellow('?')} ${line}`);
  return [
    `${paint.yellow('?')} ${paint.bold(`May ${terminalLine(tool)} do this?`)}${by}`,
    ...wholeCall(input, paint),
    ...why,
  ];
}

/** The dialog within a number of rows. */
export function dialogLines(
  dialog: PermissionDialog,
  size: { readonly columns: number; readonly rows: number },
  paint: Paint,
): readonly string[] {
  const choices = choicesOf(dialog.request);
  const { lines, hidden } = fitRows(
    matterLines(dialog.request, paint),
    size.columns,
    Math.max(3, size.rows - choices.length - 4),
  );
  const more = hidden === 0 ? [] : [paint.dim(`  … ${hidden} more lines: v shows all`)];
  if (dialog.reason !== null) {
    return [...lines, ...more, paint.dim('Why not? Enter denies, Esc goes back.')];
  }
  const shown = choices.map(({ key, label }, index) =>
    index === dialog.selected ? paint.cyan(`❯ ${key}  ${label}`) : `  ${key}  ${label}`,
  );
  return [...lines, ...more, '', ...shown, paint.dim('  ↑↓ Enter choose · Esc denies')];
}
