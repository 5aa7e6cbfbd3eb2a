/**
 * Sections of git-config(1) that only commands obey which write, send, fetch or talk to a person: nothing that a
 * `Repository` reads of refs, commits and files depends on them, unless a revision asks for an upstream (`@{u}`).
 */
const commandSections: ReadonlySet<string> = new Set([
  'advice',
  'alias',
  'author',
  'branch',
  'clean',
  'commit',
  'committer',
  'credential',
  'fetch',
  'gpg',
  'http',
  'merge',
  'pager',
  'protocol',
  'pull',
  'push',
  'rebase',
  'remote',
  'rerere',
  'sequence',
  'tag',
  'url',
  'user',
]);

const commandKeys: ReadonlySet<string> = new Set([
  'core.askpass',
  'core.editor',
  'core.hookspath',
  'core.pager',
  'core.sshcommand',
]);

/** @param parameter what follows `-c`: `push.default=nothing` */
export function isForCommands(parameter: string): boolean {
  const key = (parameter.split('=', 1)[0] ?? '').toLowerCase();
  // A promisor remote decides what an absent object means.
  const isAboutObjects = /\.(?:promisor|partialclonefilter)$/.test(key);
  return commandKeys.has(key) || (commandSections.has(key.split('.', 1)[0] ?? '') && !isAboutObjects);
}

/** git(1) "ENVIRONMENT VARIABLES" of the same kind; {@link pinnedEnvironment} sets some of them anyway. */
export function isVariableForCommands(name: string): boolean {
  return /^GIT_(?:(?:AUTHOR|COMMITTER|TRACE)\w*|(?:SEQUENCE_)?EDITOR|SSH(?:_COMMAND|_VARIANT)?|ASKPASS|PAGER|MERGE_AUTOEDIT|TERMINAL_PROMPT|ALLOW_PROTOCOL)$/.test(
    name,
  );
}
