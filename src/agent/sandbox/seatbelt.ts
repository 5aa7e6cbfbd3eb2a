import { type Confinement, type Rule, rulesOf } from './confinement.ts';

/** The program that macOS has for it; deprecated by Apple and without a successor. */
export const seatbeltProgram = '/usr/bin/sandbox-exec';

const operations: Readonly<Record<Rule['kind'], string>> = {
  writable: 'allow file-write*',
  protected: 'deny file-write*',
  hidden: 'deny file-read* file-write*',
};

/**
 * A profile of sandbox-exec(1) for a confinement; later rules win. Written after the documentation and not tried on a
 * Mac. Unlike on Linux, what is hidden can be seen to exist, processes outside can be seen, and /tmp is the person's own.
 */
export function seatbeltProfile(confinement: Confinement, scratch: string): string {
  const rules = rulesOf({ ...confinement, writable: [...confinement.writable, scratch] });
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
    ...(confinement.network ? [] : ['(deny network*)']),
    ...rules.map(({ path, kind }) => `(${operations[kind]} (subpath ${quoted(path)}))`),
  ].join('\n');
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
