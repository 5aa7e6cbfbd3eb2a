import type { Policy } from '../config/policy.ts';

/**
 * Is this branch protected? The remote's default branch is, and what the policy's globs match: read in order, the last
 * match decides, so that `!master` takes a branch out again.
 *
 * @param branch short name: `main`, `release/1.2`
 * @param defaultBranch the remote's default branch, where it is known
 */
export function isProtected(branch: string, policy: Policy, defaultBranch: string | null): boolean {
  let verdict = branch === defaultBranch;
  for (const glob of policy.protectedBranches) {
    const negated = glob.startsWith('!');
    if (matchesGlob(branch, negated ? glob.slice(1) : glob)) {
      verdict = !negated;
    }
  }
  return verdict;
}

const compiled = new Map<string, RegExp>();

/** `*` and `?` stay within a path component, `**` crosses them, as in git's pathspec globs (gitglossary(7)). */
export function matchesGlob(branch: string, glob: string): boolean {
  if (!glob.includes('*') && !glob.includes('?')) {
    return branch === glob;
  }
  let pattern = compiled.get(glob);
  if (pattern === undefined) {
    const source = glob.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
      if (part === '**') {
        return '.*';
      }
      return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
    });
    pattern = new RegExp(`^${source}$`, 'u');
    compiled.set(glob, pattern);
  }
  return pattern.test(branch);
}
