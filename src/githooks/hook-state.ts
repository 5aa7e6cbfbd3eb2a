import { readFileSync } from 'node:fs';
import { digest, isHookScript } from './hook-script.ts';
import { type HookFile, inspectHook } from './kept-hook.ts';

/** What stands at the path git would start for a hook. */
export type HookState =
  | { readonly kind: 'absent' }
  /** Written by `install`; `sha256` and `mode` tell whether it is unchanged. */
  | { readonly kind: 'ours'; readonly sha256: string; readonly mode: number }
  | { readonly kind: 'foreign'; readonly file: HookFile }
  /** pre-commit (or prek) was installed after the guard and starts it as `commit-msg.legacy`. */
  | { readonly kind: 'behind-pre-commit'; readonly path: string; readonly sha256: string; readonly mode: number }
  /** A directory or another thing git can't start. */
  | { readonly kind: 'obstacle' };

/** Names under which other tools put aside the hook they find: pre-commit starts it, lefthook does not. */
export const asideNames = ['legacy', 'old'] as const;

/** @param path of the hook, in the directory where git looks */
export function readHookState(path: string): HookState {
  const file = inspectHook(path);
  if (file === null) {
    return { kind: 'absent' };
  }
  if (file === 'directory') {
    return { kind: 'obstacle' };
  }
  if (isOurs(path, file)) {
    return { kind: 'ours', sha256: file.sha256, mode: file.mode };
  }
  const legacy = `${path}.legacy`;
  const aside = inspectHook(legacy);
  if (aside !== null && aside !== 'directory' && isOurs(legacy, aside) && startsLegacy(path, file)) {
    return { kind: 'behind-pre-commit', path: legacy, sha256: aside.sha256, mode: aside.mode };
  }
  return { kind: 'foreign', file };
}

/** Is the file at `path` a script of ours, if there is one? */
export function isOurHookAt(path: string): boolean {
  const file = inspectHook(path);
  return file !== null && file !== 'directory' && isOurs(path, file);
}

/** Digest of a file of ours that was read anew. */
export function digestOf(path: string): string {
  return digest(readFileSync(path));
}

function isOurs(path: string, file: HookFile): file is Extract<HookFile, { kind: 'file' }> {
  return file.kind === 'file' && isHookScript(readFileSync(path));
}

/** pre-commit's and prek's scripts hand `hook-impl` their directory, where it looks for `.legacy`. */
function startsLegacy(path: string, file: HookFile): boolean {
  return file.kind === 'file' && /hook-impl/.test(readFileSync(path, 'latin1'));
}
