/**
 * The agents' hook is four programs: to read a program costs 2 ms for every megabyte, and to make functions of the code
 * that V8 keeps of it as much again. `judge` runs in every call and runs the others when something in them is used.
 */
export const agentParts = ['judge', 'push', 'guards', 'shell'] as const;

export type AgentPart = (typeof agentParts)[number];

/** The one package that is used: a shell's grammar. */
export const grammar = 'unbash';

/** What a call needs that is a line of plain words and has nothing to do with a repository, and what refuses any. */
const everyCall = modules(`
  error-message listed-words node-start
  cli/ agent-judge.entry
  dialects/ agent-front agent-hook claude descriptor-output dialect dialects foreign-programs gone-directory
    judge-call payload-reader tool-call trial
  git/ runner
  git/settings/ pinned-settings
  guards/ agreeing-suggestions brought-contents changed-file changed-paths evaluate evaluation file-step finding
    git-call git-step line-trees linked-copies new-repositories other-copies places program-step step-judgement world
  guards/files/ downloaded-files file-programs hard-links path-table script-writes unpacked-files
  guards/git-command/ interpret invocation option-table output-files own-variables plain-call subcommands words
  guards/remote-api/ api-call service-tools
  guards/rules/checks/ hook-removal rewritten-scripts skip-checks
  guards/simulation/ decisions opened-place repositories returns scratch-repositories
  guards/simulation/answers/ answers git-conditions git-queries listed-worktrees output-uses
  guards/simulation/files/ conflict-questions kept-patches known-clean made-gitfiles moved-paths printed-changes writers
  guards/simulation/refs/ known-below
  shell/ bounds call command-line command-of-git device-path dispatch environment git-words interpreter last-status leaving-status
    long-blanks
    merged-states path plain-line program-lookup program-success recursion redirection rewritten-command script-files
    script-overlay script-parsing shell-state simple-command simple-command-reading substitutions telling-paths
    word-choices
  shell/builtins/ shell-options
  shell/outputs/ errors printing
  shell/programs/ compilers file-changes ordinary-programs output-options
  shell/words/ subscripts word-expansion
  ui/ findings
`);

/** What opens and reads a repository, judges a push and says why it is refused. */
const push = modules(`
  credentials own-command quote
  audit/ log redaction
  commit/ configured-convention convention linter
  config/ agent-settings configuration load rules
  dialects/ agent-convention reason
  git/ discovery files open-repository own-directory quoted-path
  git/history/ commit replaced-commits stopped-operations
  git/push/ push-defaults push-force push-from-request push-history push-matching push-request update-kind
  git/refs/ head pseudo-refs ref-files ref-tree refs refspec remote-state
  git/settings/ configuration configuration-entry remembered-configuration remote
  githooks/ front
  guards/ convention describe-intent findings-together free-name judge-in-repository judge-intent mirror-of noted-call
    part-of-line placed-suggestion protection wording written-includes
  guards/git-command/ expiry-dates ext-transport parse-options push-commands subcommand
  guards/push/ judge-push mirror-push overwrite plan-facts protected-push push-facts remote-deletion
  guards/rules/commits/ destroy-recovery edits-todo
  guards/rules/messages/ made-by-call
  guards/rules/pushes/ commanded-push
  guards/simulation/ line-changes overlaid-repository overlay pasts remembering replaced tree-facts worlds
  guards/simulation/files/ line-stashes status-after
  guards/simulation/refs/ made-commits presumed-branch refusals symbolic-refs
`);

/** Files of modules, from words of which those that end in a slash name the directory of those that follow. */
function modules(words: string): ReadonlySet<string> {
  let directory = '';
  const files = new Set<string>();
  for (const word of words.trim().split(/\s+/)) {
    if (word.endsWith('/')) {
      directory = word;
    } else {
      files.add(`${directory}${word}.cjs`);
    }
  }
  return files;
}

/**
 * @param file a module's, from the directory of the sources, or `grammar`
 */
export function partOf(file: string): AgentPart {
  if (everyCall.has(file)) {
    return 'judge';
  }
  if (push.has(file)) {
    return 'push';
  }
  return file === grammar || file.startsWith('shell/') ? 'shell' : 'guards';
}

/** @throws Error where one of the modules named here has another name now: it would be read by other calls than it should */
export function checkNames(files: ReadonlySet<string>): void {
  const gone = [...everyCall, ...push].filter((file) => !files.has(file));
  if (gone.length > 0) {
    throw new Error(`The agents' hook has no ${gone.join(', ')} any more: what is it called now?`);
  }
}
