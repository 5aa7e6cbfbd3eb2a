/**
 * Reading must neither run a program that the repository's configuration names (a file system monitor, gpg by
 * log.showSignature), nor depend on how a person likes git's output. An empty core.fsmonitor means "none" to every
 * version of git; `false` named a program until 2.36.
 */
export const pinnedSettings: readonly string[] = [
  'core.fsmonitor=',
  'core.quotePath=false',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
  'color.ui=false',
];

/**
 * GIT_OPTIONAL_LOCKS: `status` must not take the index's lock from a git that runs beside it.
 * GIT_NO_LAZY_FETCH (git 2.45) and GIT_ALLOW_PROTOCOL (older): reading an absent object in a partial clone must not
 * contact the remote.
 * GIT_CONFIG means another file to `git config` alone: every other command reads what it always does.
 */
export const pinnedEnvironment: Readonly<Record<string, string | undefined>> = {
  LC_ALL: 'C',
  LANGUAGE: undefined,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TRACE: undefined,
  GIT_TRACE2: undefined,
  GIT_CONFIG: undefined,
};

/**
 * What takes another commit's place here (git-replace(1), or a file of grafts) does so nowhere else: a push sends the
 * commits that are stored, and `git gc` keeps what these reach. So a walk over history must not see it. What a name
 * stands for, or what has changed, is told as the user's git would tell it.
 */
export const storedHistory: Readonly<Record<string, string>> = {
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
};

/** Does git walk over history for this? `rev-parse A...B` prints merge bases. */
export function walksHistory([verb, ...words]: readonly string[]): boolean {
  return (
    verb === 'rev-list' || verb === 'merge-base' || (verb === 'rev-parse' && words.some((word) => word.includes('...')))
  );
}
