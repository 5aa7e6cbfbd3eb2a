import type { Policy } from '../../../config/policy.ts';
import type { Finding } from '../../finding.ts';
import type { ConfigureIntent } from '../../intent.ts';
import { unreadable } from '../unreadable-command.ts';

/** Sections whose settings decide what git runs, where it pushes and what it forgets. */
const sections = [
  'core.',
  'alias.',
  'hook.',
  'include',
  'remote.',
  'url.',
  'gc.',
  'filter.',
  'credential.',
  'diff.',
  'pager.',
];

/** Sections where the last part of the name tells whether a program is run: `diff.$NAME.binary`. */
const programs: readonly (readonly [string, RegExp])[] = [
  ['credential.', /^helper$/i],
  ['diff.', /^(?:command|textconv|external)$/i],
  ['filter.', /^(?:clean|smudge|process)$/i],
];

/** A setting whose name can't be known, unless what is known of it rules the dangerous ones out. */
export function judgeUnknownKey({ key, value }: ConfigureIntent, policy: Policy): readonly Finding[] {
  if (key.kind === 'known' || value === null) {
    return [];
  }
  const prefix = key.prefix.toLowerCase();
  if (prefix.startsWith('url.') && /\.(?:push)?insteadof$/i.test(key.suffix) && value.kind === 'known') {
    return [];
  }
  const name = /\.([a-z][a-z0-9-]*)$/i.exec(key.suffix)?.[1];
  const running = name === undefined ? undefined : programs.find(([section]) => prefix.startsWith(section))?.[1];
  const mayMatter =
    running?.test(name ?? '') ?? sections.some((section) => section.startsWith(prefix) || prefix.startsWith(section));
  return mayMatter
    ? unreadable(policy, {
        source: key.source,
        reason: key.reason,
        could: 'core.hooksPath, or another setting that decides what git runs',
      })
    : [];
}
