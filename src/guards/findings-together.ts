import type { Finding } from './finding.ts';
import { count, evidenceLimit } from './wording.ts';

/**
 * Of many files that one command changes in the same way, one finding tells.
 *
 * @param found of one command
 */
export function filesTogether(found: readonly Finding[]): readonly Finding[] {
  if (found.length < 2) {
    return found;
  }
  const groups = new Map<string | Finding, Finding[]>();
  for (const finding of found) {
    const key = whatIsTold(finding) ?? finding;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap(together);
}

/** What findings that tell the same of one file each have in common; null: it tells something else. */
function whatIsTold({ loss, correction, evidence, message, rule, verdict, suggestion }: Finding): string | null {
  const { files, refs, commits } = evidence;
  const [file] = files;
  const isOfOne = files.length === 1 && refs.length === 0 && commits.length === 0;
  const isPlain = loss === undefined && correction === undefined;
  return isOfOne && isPlain && file !== undefined && message.includes(file)
    ? [rule, verdict, suggestion, message.replace(file, () => '')].join('\0')
    : null;
}

/** @param group one or more, which tell the same */
function together(group: readonly Finding[]): readonly Finding[] {
  const ordered = [...group].sort((a, b) => rank(a) - rank(b));
  const [first] = ordered;
  const files = [...new Set(ordered.flatMap(({ evidence }) => evidence.files))];
  const [file = ''] = files;
  if (first === undefined || files.length < 2) {
    return group;
  }
  const others = count(files.length - 1, 'more file');
  const message = first.message.replace(file, () => `${file} and ${others}`);
  return [{ ...first, message, evidence: { ...first.evidence, files: files.slice(0, evidenceLimit) } }];
}

/** git starts no sample: what it may start is told first. */
function rank({ evidence }: Finding): number {
  return evidence.files[0]?.endsWith('.sample') === true ? 1 : 0;
}
