import type { Policy } from '../../../config/policy.ts';
import { openPart } from '../../../shell/simple-command.ts';
import type { UnknownWord } from '../../git-command/words.ts';
import { isProtected } from '../../protection.ts';

/** Protected somewhere, if not here: a remote's default branch. */
const usualMainBranches = ['main', 'master', 'develop', 'trunk'];

/** Does what is known of a refspec (`feature/$X`, `$X/fix`) already rule out every protected branch? */
export function isSurelyUnprotected({ prefix, suffix, shape }: UnknownWord, policy: Policy): boolean {
  const [, named] = /:(?:refs\/heads\/)?([^:]+)$/.exec(suffix) ?? [];
  if (prefix.startsWith('+')) {
    return false;
  }
  if (named !== undefined) {
    return !isProtected(named, policy, null) && !usualMainBranches.includes(named);
  }
  const [, destination] = /^[^+:][^:]*:([^:]+)$/.exec(shape ?? '') ?? [];
  if (destination !== undefined) {
    return !mayBeProtected(destination, policy);
  }
  const target = prefix.slice(prefix.indexOf(':') + 1).replace(/^\+?(?:refs\/heads\/)?/, '');
  const globs = protectingGlobs(policy);
  const heads = [...globs.map(beginningOf), ...usualMainBranches];
  const hasPatterns = globs.some(isPattern);
  const mayMatch = heads.some((head) => head.startsWith(target) || (target.startsWith(head) && hasPatterns));
  const end = suffix.slice(suffix.lastIndexOf(':') + 1);
  const mayEnd =
    hasPatterns || !end.includes('/') || [...globs, ...usualMainBranches].some((name) => name.endsWith(end));
  return (target !== '' && !mayMatch) || !mayEnd;
}

/** More parts that are not known than these are not told apart. */
const maximumParts = 6;

/** @param destination with {@link openPart} for what is not known: `refs/heads/preview/$A` */
function mayBeProtected(destination: string, policy: Policy): boolean {
  const parts = destination.split(openPart);
  if (parts.length > maximumParts) {
    return true;
  }
  const expression = new RegExp(
    `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`,
    's',
  );
  const [beginning = ''] = parts;
  const globs = protectingGlobs(policy);
  const names = [...globs.filter((glob) => !isPattern(glob)), ...usualMainBranches];
  const isBegun = (head: string) => head.startsWith(beginning) || beginning.startsWith(head);
  return (
    names.flatMap(writtenAs).some((name) => expression.test(name)) ||
    globs.filter(isPattern).some((glob) => writtenAs(beginningOf(glob)).some(isBegun))
  );
}

/** gitrevisions(7): how a branch may be called where a ref is named. */
function writtenAs(branch: string): readonly string[] {
  return [branch, `heads/${branch}`, `refs/heads/${branch}`];
}

function protectingGlobs({ protectedBranches }: Policy): readonly string[] {
  return protectedBranches.filter((glob) => !glob.startsWith('!'));
}

function isPattern(glob: string): boolean {
  return /[*?]/.test(glob);
}

function beginningOf(glob: string): string {
  return /^[^*?]*/.exec(glob)?.[0] ?? '';
}
