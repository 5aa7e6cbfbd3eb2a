import type { Policy } from '../../config/policy.ts';
import type { FileChange } from '../files/file-programs.ts';
import type { GuardedFile } from '../files/guarded-file.ts';
import { type Finding, findings } from '../finding.ts';

const verbs: Record<FileChange['kind'], string> = {
  write: 'writes to',
  remove: 'removes or moves',
  mode: 'changes the permissions of',
};

/** A file is changed by which the guard works, or by which lost work is found again. Reading them is nobody's harm. */
export function judgeGuardedFile(
  file: GuardedFile,
  shownPath: string,
  kind: FileChange['kind'],
  policy: Policy,
  means = 'This command',
): readonly Finding[] {
  const isKey = file.kind === 'guard-configuration' && file.inManifest === true;
  const does = `${means} ${verbs[kind]} ${isKey ? `the key "oxide-guard" of ${shownPath}` : shownPath}`;
  const evidence = { files: [shownPath] };
  switch (file.kind) {
    case 'hooks':
      return findings('skip-checks', policy, {
        message: `${does}, where git's hooks are.`,
        evidence,
        suggestion: 'oxide-guard doctor',
      });
    case 'guard-configuration':
      return !file.isThere && kind !== 'write'
        ? []
        : findings('skip-checks', policy, {
            message: `${does}, the guard's own configuration.`,
            evidence,
            suggestion: 'oxide-guard config print',
          });
    case 'agent-settings':
      return findings('skip-checks', policy, {
        message: `${does}, where the guard is installed as an agent's hook.`,
        evidence,
        suggestion: 'oxide-guard doctor',
      });
    case 'guard':
      return findings('skip-checks', policy, {
        message: `${does}, ${file.part === 'package' ? "a part of the guard's own program" : 'where the guard keeps what a person has approved'}.`,
        evidence,
        suggestion: 'oxide-guard doctor',
      });
    case 'git-configuration':
      return kind === 'remove'
        ? findings('destroy-recovery', policy, {
            message: `${does}, without which git does not know this repository any more.`,
            evidence,
            suggestion: 'git config --list --local',
          })
        : findings('delayed-execution', policy, {
            message: `${does} by other means than git: what it sets can't be judged.`,
            evidence,
            suggestion: 'git config NAME VALUE',
          });
    case 'user-configuration':
      return findings(
        'delayed-execution',
        policy,
        kind === 'mode'
          ? null
          : {
              message: `${does}, git's settings for every repository, by other means than git: what changes can't be judged.`,
              evidence,
              suggestion: 'git config --global NAME VALUE',
            },
      );
    case 'rebase-list':
      return findings(
        'delayed-execution',
        policy,
        kind === 'mode'
          ? null
          : {
              message: `${does}, the list of commits and commands that this rebase goes on with, by other means than git.`,
              evidence,
              suggestion: 'git rebase --edit-todo',
            },
      );
    case 'autostash':
      return findings(
        'discard-changes',
        policy,
        kind === 'mode'
          ? null
          : {
              message: `${does}, and with it the uncommitted changes that --autostash has put away.`,
              evidence,
              suggestion: `git ${file.operation} --quit   # keeps them as a stash`,
            },
      );
    case 'git-directory':
      return kind === 'mode'
        ? []
        : findings('destroy-recovery', policy, {
            message: `${does}: the repository's history, stashes and reflog.`,
            evidence,
            suggestion: 'git clone --mirror . ../backup.git',
          });
  }
}
