/** What commitlint skips by default (`@commitlint/is-ignored`), holes included: equality with it is the contract. */
const patterns: readonly RegExp[] = [
  /^((Merge pull request)|(Merge (.*?) into (.*?)|(Merge branch (.*?)))(?:\r?\n)*$)/m,
  /^(Merge tag (.*?))(?:\r?\n)*$/m,
  /^(R|r)evert (.*)/,
  /^(R|r)eapply (.*)/,
  /^(amend|fixup|squash)!/,
  /^(Merged (.*?)(in|into) (.*)|Merged PR (.*): (.*))/,
  /^Merge remote-tracking branch(\s*)(.*)/,
  /^Automatic merge(.*)/,
  /^Auto-merged (.*?) into (.*)/,
];

/**
 * Is the message one that git or a release tool wrote (a merge, a revert, `fixup!`, a bare version), so that the
 * convention does not apply to it?
 */
export function isIgnored(message: string): boolean {
  return patterns.some((pattern) => pattern.test(message)) || isVersion(message);
}

/** `chore(release): v1.2.3 [skip ci]`: a semantic version (semver.org) and nothing else. */
function isVersion(message: string): boolean {
  const [firstLine = ''] = message.split('\n', 1);
  if (!/\d\.\d+\.\d/.test(firstLine)) {
    return false;
  }
  const bare = firstLine
    .replace(/^chore(\([^)]+\))?:/, '')
    .replace(/\[(skip|ci)(-|\s)(ci|skip)\]/i, '')
    .replace(/\((skip|ci)(-|\s)(ci|skip)\)/i, '')
    .trim();
  const numbers = bare.length > 256 ? null : bare.match(versionPattern());
  return numbers?.slice(1, 4).every((part) => Number(part) <= Number.MAX_SAFE_INTEGER) ?? false;
}

function versionPattern(): RegExp {
  const number = '(0|[1-9]\\d{0,256})';
  const identifier = '(?:\\d{0,256}[a-zA-Z-][a-zA-Z0-9-]{0,250}|0|[1-9]\\d{0,256})';
  return new RegExp(
    `^v?${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?(?:\\+[a-zA-Z0-9-]{1,250}(?:\\.[a-zA-Z0-9-]{1,250})*)?$`,
  );
}
