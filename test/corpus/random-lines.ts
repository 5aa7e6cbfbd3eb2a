import fc from 'fast-check';

/** The names that lines of git can be made of in one repository; none of the lists is empty. */
export interface Vocabulary {
  readonly branches: readonly string[];
  readonly tracking: readonly string[];
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly worktrees: readonly string[];
}

/** What may stand before a subcommand. */
const globals = `advice.detachedHead=false push.default=current push.default=upstream push.default=matching
rebase.autoStash=true merge.autoStash=true pull.rebase=true pull.ff=only rebase.updateRefs=true submodule.recurse=true
fetch.prune=true push.followTags=true push.autoSetupRemote=true branch.autoSetupMerge=always checkout.guess=false
clean.requireForce=false status.showUntrackedFiles=no core.excludesFile=README.md`
  .split(/\s+/)
  .map((setting) => ` -c ${setting}`);

/**
 * Forms of commands by the manuals: words, `[-a|-b]` for any of these options, `(x|y)` for one of these words, and
 * names in capitals for what the repository has: see {@link fillIns}. Not what the policy leaves alone: plain file
 * commands over uncommitted files, and amending and soft or mixed resets, which put another version in a commit's place.
 */
export const gitForms = [
  'git push [-q|-u|--tags|--all|--follow-tags|-f|--force|--force-with-lease|--delete|--prune|--mirror|-n|--atomic|--no-verify]',
  'git push [-q|-u|-f|--force-with-lease|--force-if-includes|-d] origin SPEC',
  'git push [-q|--force|--no-force] origin SPEC SPEC',
  'git reset [-q|-N] (--hard|--keep|--merge) REVISION',
  'git reset [-q|--soft|--mixed]',
  'git reset [-q] REVISION -- FILE',
  'git checkout [-q|-f|-m|--detach|--no-guess|--ignore-other-worktrees|--overwrite-ignore] REVISION',
  'git checkout [-q|-f|--ours|--theirs|-m] -- FILE FILE',
  'git checkout [-q|-f|--no-overlay] REVISION -- FILE',
  'git checkout [-q|-f|--no-track] (-b|-B|--orphan) NAME REVISION',
  'git switch [-q|-f|--discard-changes|-m|-d|--no-guess|--ignore-other-worktrees] REVISION',
  'git switch [-q|-f|-m] (-c|-C|--orphan) NAME',
  'git switch [-q|--discard-changes] (-c|-C) NAME REVISION',
  'git restore [-q|-S|-W|--ours|--theirs|--overlay|--ignore-unmerged] FILE',
  'git restore [-q|--staged|--worktree|--no-overlay] --source=REVISION FILE',
  'git branch [-q|-f|--no-track|--track] (-d|-D|-m|-M|-C|-dr|--unset-upstream) NAME',
  'git branch [-q|-f] (-f|-m|-M|-C|--track) NAME REVISION',
  'git stash (push|push -u|push -a|push -k|push -k -u|push -S|push -- FILE|push -u -- FILE|save x|create)',
  'git stash (pop|apply|drop|clear|pop --index|drop stash@{0}|pop stash@{1}|branch NAME|list|show -p)',
  'git clean [-q|-f|-d|-x|-X|-n|-e .env]',
  'git clean [-f|-d|-x] FILE',
  'git merge [-q|--no-edit|--ff-only|--no-ff|--squash|-s ours|-X theirs|--autostash|--no-commit|--allow-unrelated-histories] REVISION',
  'git (merge|rebase|cherry-pick|revert|am) (--abort|--continue|--skip|--quit)',
  'git rebase [-q|--autostash|-f|--root|--update-refs|-X theirs|--keep-base|--fork-point|--exec true] REVISION',
  'git rebase [-q|--autostash] --onto REVISION REVISION',
  'git cherry-pick [-n|-x|-m 1|-X theirs|--allow-empty|--ff] (REVISION|REVISION..REVISION)',
  'git revert --no-edit [-n|-m 1] REVISION',
  'git commit [-q|-a|--allow-empty|-n|--dry-run] -m "feat: more"',
  'git commit [-q|-a] (-C HEAD|--fixup=HEAD|-m "more stuff")',
  'git add [-A|-u|-f|-N|-n|--renormalize] FILE',
  'git add [-A|-u] (.|:/|src|"*.ts"|. ":!notes.md"|. ":!src") && git commit -q [-n|--allow-empty] -m "feat: more"',
  'git add [-A|-u] FILE && git commit -q [-a|-i|-o] -m "feat: more" [FILE]',
  'git add (-A|-u|.) && git (reset -q|restore --staged|rm -q -r --cached) FILE',
  'git rm [-q|-f|-r|--cached|-n|--ignore-unmatch] FILE',
  'git mv [-f|-k|-n] FILE FILE',
  'git pull [-q|--rebase|--no-rebase|--ff-only|--no-ff|--autostash|--prune|--force|-s ours|-X theirs|--squash|--tags|--all]',
  'git pull [-q|--rebase|--ff-only|--force] origin SPEC',
  'git fetch [-q|-p|--prune-tags|--tags|--all|-f|-u|--depth=1|--dry-run|--atomic]',
  'git fetch [-q|-f|-u|-p] origin SPEC',
  'git tag [-f|-d|-a -m x|-l] TAG',
  'git tag -f TAG REVISION',
  'git update-ref [-d|--no-deref] (HEAD|refs/heads/BRANCH|refs/tags/TAG|refs/stash)',
  'git update-ref refs/heads/BRANCH REVISION',
  'git symbolic-ref [-q] HEAD refs/heads/NAME',
  'git worktree (add|add -f|add --detach|add -b NAME|add -B NAME) ../linked REVISION',
  'git worktree (remove|remove -f|remove -f -f|unlock) WORKTREE',
  'git worktree prune',
  'git submodule (update|update --init|update --force|deinit -f --all|foreach "git reset --hard"|sync)',
  'git remote (remove origin|prune origin|rename origin up|set-url origin ../other.git|update -p)',
  'git (reflog expire --expire=now --all|gc --prune=now|gc|prune|repack -ad|pack-refs --all|reflog delete HEAD@{0})',
  'git read-tree [-m|-u|--reset] REVISION',
  'git checkout-index [-f|-a|-u]',
  'git sparse-checkout (set src|disable|reapply|set --no-cone src)',
  'git bisect (start|reset|start HEAD REVISION|bad|good)',
  'git update-index (--assume-unchanged|--skip-worktree|--force-remove|--really-refresh) FILE',
  'git config (push.default upstream|branch.BRANCH.merge refs/heads/main|core.worktree ..|remote.origin.mirror true)',
  'git config (alias.x "reset --hard"|remote.origin.push +refs/heads/*:refs/heads/*|--unset core.hooksPath)',
  'git config (fetch.prune|submodule.recurse|rebase.autoStash|clean.requireForce) (true|false)',
  'git diff [--cached] > ../x.patch',
  'rm -rf (build|WORKTREE|.git/refs/heads/BRANCH|.git/packed-refs|.git/index|.git/rebase-merge|.git/logs)',
  'mkdir -p d && cd d',
  'cd (..|src)',
  "git branch (|--merged|--no-merged) | grep -v '\\*' | xargs git branch (-d|-D)",
  'for b in $(git branch --format=\'%(refname:short)\'); do git branch -D "$b"; done',
  'git tag | xargs git tag -d',
  'git ls-files -m | xargs git (checkout --|restore|rm -f)',
  "git for-each-ref --format='delete %(refname)' refs/heads | git update-ref --stdin",
  'echo more > NAME.txt && git add -A && git commit -qm "feat: add more"',
] as const;

/** What makes files ignored or no longer so, puts them elsewhere, and takes up or discards what is not committed. */
export const ignoringForms = [
  'echo (FILE|.env|"*.txt"|src/) >>.gitignore',
  'echo (FILE|.env|"*.db"|x) >.gitignore',
  'echo (FILE|.env|"*.txt") >>.git/info/exclude',
  "sed -i '/(env|db|secrets|dist)/d' .gitignore",
  'rm [-f] .gitignore',
  'mv .gitignore (../ign|ign)',
  'cp .gitignore (../ign|gen/.gitignore)',
  'git mv .gitignore src/.gitignore',
  'git config (core.excludesFile ../ignore2|core.excludesFile .gitattributes|--unset core.excludesFile)',
  'mv FILE (kept-N.txt|../kept-N.txt|src/kept-N.txt)',
  'cp FILE (kept-N.txt|../kept-N.txt)',
  'mkdir -p d && mv FILE d/',
  'git add [-A|-u|-f] (FILE|.|.gitignore)',
  'git add -A && git commit -q -m "feat: more"',
  'git commit -q [-a] -m "feat: more" [FILE|.gitignore]',
  'git rm -q [-f|-r|--cached] (FILE|.gitignore)',
  'git reset [-q] (HEAD~1|--hard HEAD~1|--hard REVISION|FILE|.gitignore)',
  'git reset -q --soft HEAD~1',
  'git checkout [-q] (REVISION|-b NAME|-|-- FILE|.gitignore|REVISION -- .gitignore|REVISION -- .)',
  'git switch [-q|-f] (REVISION|-c NAME)',
  'git restore [-S|-W] (FILE|.gitignore|.)',
  'git stash (push|push -u|push -a|push -k -u|push -- FILE|pop|apply|drop|pop --index)',
  'git clean -q -f [-d|-x|-X|-e .env|-e "*.db"]',
  'git clean -q -fd FILE',
  'git merge [-q|--no-edit|--no-ff|--squash] REVISION',
  'git cherry-pick [-n] REVISION',
  'git revert --no-edit [-n] REVISION',
  'git rebase [-q] REVISION',
  'git worktree (add|add --detach|remove|remove -f) ../linked [REVISION]',
  'git ls-files -o [-i|--exclude-standard] | xargs git add -f',
  'git stash push -u && git stash drop',
] as const;

/** What the names in capitals stand for. */
function fillIns({ branches, tracking, tags, files, worktrees }: Vocabulary): Record<string, fc.Arbitrary<string>> {
  const branch = fc.constantFrom(...branches);
  const tag = fc.constantFrom(...tags);
  const revision = fc.oneof(
    branch,
    fc.constantFrom(...tracking),
    tag,
    fc.constantFrom('HEAD', 'HEAD~1', 'HEAD^', 'HEAD~2', '@{u}', '@{push}', 'ORIG_HEAD', 'FETCH_HEAD', '-', '@{-1}'),
    fc.constantFrom('HEAD@{1}', 'stash@{0}', 'MERGE_HEAD', 'HEAD^2', 'no-such'),
  );
  const name = fc.oneof(branch, fc.constantFrom('new-1', 'new-2'));
  const spec = fc.oneof(
    fc.tuple(fc.constantFrom('', '+', ':'), name).map(([before, to]) => before + to),
    fc.tuple(fc.constantFrom('', '+'), revision, name).map(([plus, from, to]) => `${plus}${from}:refs/heads/${to}`),
    fc.tuple(fc.constantFrom('', '+'), name).map(([plus, to]) => `${plus}HEAD:${to}`),
    tag.map((to) => `refs/tags/${to}`),
    fc.constantFrom('HEAD', '@', ':', '+:', '"refs/heads/*:refs/heads/*"', '"+refs/heads/*:refs/heads/*"'),
  );
  const file = fc.oneof(
    fc.constantFrom(...files),
    fc.constantFrom(...files),
    fc.constantFrom('.', ':/', 'src', 'none'),
  );
  const worktree = fc.constantFrom(...worktrees);
  return { BRANCH: branch, TAG: tag, REVISION: revision, NAME: name, SPEC: spec, FILE: file, WORKTREE: worktree };
}

const part = /\[([^\]]+)\]|\(([^()]*\|[^()]*)\)|\b(BRANCH|TAG|REVISION|NAME|SPEC|FILE|WORKTREE)\b/;

/** None, one or two options. */
function someOf(options: readonly string[]): fc.Arbitrary<string> {
  return fc.subarray([...options], { maxLength: Math.min(2, options.length) }).map((some) => some.join(' '));
}

/** A command of a form: every choice in it made. */
function filled(form: string, names: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const found = part.exec(form);
  if (found === null) {
    return fc.constant(form);
  }
  const [whole, options, words, name = ''] = found;
  const choice = (text: string) => fc.constantFrom(...text.split('|')).chain((word) => filled(word, names));
  const middle =
    options !== undefined
      ? someOf(options.split('|'))
      : words !== undefined
        ? choice(words)
        : (names[name] ?? fc.constant(name));
  const after = form.slice(found.index + whole.length);
  return fc.tuple(middle, filled(after, names)).map(([text, rest]) => form.slice(0, found.index) + text + rest);
}

const enclosing: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line,
  (line) => line,
  (line) => `(${line})`,
  (line) => `set -e; ${line}`,
  (line) => `step() { ${line}; }; step`,
  (line) => `if git diff --quiet; then ${line}; fi`,
  (line) => `{ ${line}; } 2>&1 | cat`,
];

/** One to four commands of git that the manuals allow, in a list, with what the repository has for names. */
export function randomLines(vocabulary: Vocabulary, forms: readonly string[]): fc.Arbitrary<string> {
  const names = fillIns(vocabulary);
  const command = fc
    .tuple(
      fc.constantFrom(...forms).chain((form) => filled(form, names)),
      fc.constantFrom('', '', '', ...globals),
    )
    .map(([text, setting]) => text.replace(/^git\b/, `git${setting}`));
  const next = fc
    .tuple(fc.constantFrom(' && ', ' && ', '; ', '; ', ' || '), command)
    .map(([joint, text]) => joint + text);
  return fc
    .tuple(command, fc.array(next, { maxLength: 3 }), fc.constantFrom(...enclosing))
    .map(([first, more, enclose]) => enclose(first + more.join('')))
    .map(withNewNames);
}

/** No plain command comes upon what another one has put there. */
function withNewNames(line: string): string {
  let count = 0;
  return line.replace(/\bkept-N\b/g, () => {
    count += 1;
    return `kept-${count}`;
  });
}
