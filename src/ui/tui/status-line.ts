import type { Paint } from '../paint.ts';
import type { PermissionMode } from '../permission.ts';
import type { SessionStatus } from './front.ts';
import { terminalLine } from './terminal-text.ts';

/** Mode, branch, distance to the upstream, model and tokens: what matters most stands first, since narrow screens cut. */
export function statusLine({ branch, ahead, behind, model, tokens, mode }: SessionStatus, paint: Paint): string {
  const distance = [ahead ? ` ↑${ahead}` : '', behind ? ` ↓${behind}` : ''].join('');
  const parts = [
    paintedMode(mode, paint),
    ...(branch === null ? [] : [`${paint.cyan(terminalLine(branch))}${distance}`]),
    terminalLine(model),
    ...(tokens === 0 ? [] : [`${thousands(tokens)} tokens`]),
  ];
  return parts.filter((part) => part !== '').join(paint.dim(' · '));
}

/** Redder, the less is asked. */
function paintedMode(mode: PermissionMode, paint: Paint): string {
  switch (mode) {
    case 'default':
      return mode;
    case 'bypass':
      return paint.red(mode);
    default:
      return paint.yellow(mode);
  }
}

/** 950, 12.3k, 1.2M */
function thousands(count: number): string {
  const [divisor, unit] = count >= 999_950 ? [1_000_000, 'M'] : [1000, 'k'];
  return count < 1000 ? String(count) : `${(count / divisor).toFixed(1).replace(/\.0$/, '')}${unit}`;
}
