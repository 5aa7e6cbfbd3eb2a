/** `allow` < `ask` (a person must confirm) < `deny`. */
export type Verdict = 'allow' | 'ask' | 'deny';

/** What a rule is for and what it decides unless the configuration says otherwise. */
export interface Rule {
  readonly default: Verdict;
  /** One sentence for `explain`, the documentation and the JSON Schema. */
  readonly summary: string;
}

/** Every rule of the guard, in the order in which findings of equal strength are shown. */
export const rules = {
  'guard-failure': { default: 'deny', summary: 'The guard itself failed while judging something that involves git.' },
  'mirror-push': { default: 'deny', summary: 'A mirror push overwrites and deletes every ref of the remote.' },
  'protected-force-push': { default: 'deny', summary: 'A push may overwrite a protected branch without a lease.' },
  'protected-delete': { default: 'deny', summary: 'A push deletes a protected branch on a remote.' },
  'skip-checks': { default: 'deny', summary: 'A command switches off hooks or the guard itself.' },
  'destroy-recovery': { default: 'deny', summary: 'A command destroys the means of getting lost work back.' },
  'commit-message': { default: 'deny', summary: 'A commit message breaks the Conventional Commits convention.' },
  'outgoing-messages': { default: 'deny', summary: 'A push publishes commits whose messages break the convention.' },
  'remote-api-protected': { default: 'deny', summary: 'An API call overwrites or deletes a protected branch.' },
  'protected-lease-push': { default: 'ask', summary: 'A push with a lease rewrites a protected branch.' },
  'protected-push': { default: 'ask', summary: 'A push updates a protected branch.' },
  'force-push': {
    default: 'ask',
    summary: 'A forced push without a lease may drop commits of a branch, or moves a tag.',
  },
  'remote-delete': { default: 'ask', summary: 'A push deletes a branch or tag on a remote.' },
  'fixup-to-protected': {
    default: 'ask',
    summary: 'A push publishes fixup!, squash! or amend! commits on a protected branch.',
  },
  'discard-changes': { default: 'ask', summary: 'A command discards uncommitted work that exists now.' },
  'lose-commits': { default: 'ask', summary: 'A command leaves local commits that no other ref reaches.' },
  'rewrite-published': { default: 'ask', summary: 'A command rewrites commits that a protected branch has published.' },
  'change-remote': { default: 'ask', summary: 'A command changes where pushes go.' },
  'remote-api-write': {
    default: 'ask',
    summary: 'An API call changes refs, branch protection or the repository on the server.',
  },
  'delayed-execution': { default: 'ask', summary: 'A setting names a program that git will run later.' },
  'unreadable-command': { default: 'ask', summary: 'The guard could not read a part that could run git.' },
  diverged: { default: 'allow', summary: 'The remote branch has commits that the local one lacks.' },
  'uncommitted-changes': {
    default: 'allow',
    summary: 'Uncommitted changes are present during a version-affecting operation.',
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;
