import type { Policy } from '../../config/policy.ts';
import type { Finding } from '../finding.ts';
import type { ConfigureIntent } from '../intent.ts';
import { unreadable } from './unreadable-command.ts';

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

/** A setting whose name can't be known, unless what is known of it rules the dangerous ones out. */
export function judgeUnknownKey({ key, value }: ConfigureIntent, policy: Policy): readonly Finding[] {
  if (key.kind === 'known' || value === null) {
    return [];
  }
  const prefix = key.prefix.toLowerCase();
  if (prefix.startsWith('url.') && /\.(?:push)?insteadof$/i.test(key.suffix) && value.kind === 'known') {
    return [];
  }
  const mayMatter = sections.some((section) => section.startsWith(prefix) || prefix.startsWith(section));
  return mayMatter
    ? unreadable(policy, {
        source: key.source,
        reason: key.reason,
        could: 'core.hooksPath, or another setting that decides what git runs',
      })
    : [];
}
