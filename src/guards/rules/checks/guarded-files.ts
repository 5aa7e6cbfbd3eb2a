import type { Policy } from '../../../config/policy.ts';
import type { RuleId } from '../../../config/rules.ts';
import type { FileChange } from '../../files/file-change.ts';
import type { GuardedFile } from '../../files/guarded-file.ts';
import { type Finding, findings } from '../../finding.ts';
import { mirrorHere } from '../../mirror-of.ts';

const verbs: Record<FileChange['kind'], string> = {
  write: 'writes to',
  remove: 'removes or moves',
  mode: 'changes the permissions of',
};

const ownParts: Record<Extract<GuardedFile, { kind: 'guard' }>['part'], string> = {
  package: "a part of the guard's own program",
  state: 'where the guard keeps what a person has approved',
};

interface Told {
  /** What does it; missing: the command. */
  readonly means?: string;
  /** What keeps the repository that the file is in; missing: as at the top of the work tree at hand. */
  readonly mirror?: string;
}

/** A file is changed by which the guard works, or by which lost work is found again. Reading them is nobody's harm. */
export function judgeGuardedFile(
  file: GuardedFile,
  shownPath: string,
  kind: FileChange['kind'],
  policy: Policy,
  { means = 'This command', mirror }: Told = {},
): readonly Finding[] {
  const harm = harmOf(file, kind);
  if (harm === null) {
    return [];
  }
  const isKey = file.kind === 'guard-configuration' && file.inManifest === true;
  const does = `${means} ${verbs[kind]} ${isKey ? `the key "oxide-guard" of ${shownPath}` : shownPath}`;
  return findings(harm.rule, policy, {
    message: `${does}${harm.why}`,
    evidence: { files: [shownPath] },
    suggestion: harm.suggestion ?? mirror ?? mirrorHere,
    isForTop: harm.suggestion === null && mirror === undefined,
  });
}

/** What a change of such a file comes to. */
interface Harm {
  readonly rule: RuleId;
  /** Follows what the command does. */
  readonly why: string;
  /** Null: the whole repository is to be kept. */
  readonly suggestion: string | null;
}

function harmOf(file: GuardedFile, kind: FileChange['kind']): Harm | null {
  switch (file.kind) {
    case 'hooks':
      return harm('skip-checks', ", where git's hooks are.", 'oxide-guard doctor');
    case 'guard-configuration':
      return file.isThere || kind === 'write'
        ? harm('skip-checks', ", the guard's own configuration.", 'oxide-guard config print')
        : null;
    case 'agent-settings':
      return harm('skip-checks', ", where the guard is installed as an agent's hook.", 'oxide-guard doctor');
    case 'guard':
      return harm('skip-checks', `, ${ownParts[file.part]}.`, 'oxide-guard doctor');
    case 'git-program':
      return kind === 'write'
        ? harm('delayed-execution', ', the program that later commands would run as git.', 'command -v git')
        : null;
    case 'git-configuration':
      return kind === 'remove'
        ? harm(
            'destroy-recovery',
            ', without which git does not know this repository any more.',
            'git config --list --local',
          )
        : harm('delayed-execution', " by other means than git: what it sets can't be judged.", 'git config NAME VALUE');
    case 'tracking-refs':
      return kind === 'write' ? harmOfContent({ kind: 'git-directory' }) : null;
    default:
      return kind === 'mode' ? null : harmOfContent(file);
  }
}

/** The file's permissions are nobody's harm. */
function harmOfContent(
  file: Extract<
    GuardedFile,
    { kind: 'user-configuration' | 'included-configuration' | 'rebase-list' | 'autostash' | 'git-directory' }
  >,
): Harm {
  switch (file.kind) {
    case 'user-configuration':
      return harm(
        'delayed-execution',
        ", git's settings for every repository, by other means than git: what changes can't be judged.",
        'git config --global NAME VALUE',
      );
    case 'included-configuration':
      return harm(
        'delayed-execution',
        ", which git's settings include, by other means than git: what changes can't be judged.",
        'git config --file FILE NAME VALUE',
      );
    case 'rebase-list':
      return harm(
        'delayed-execution',
        ', the list of commits and commands that this rebase goes on with, by other means than git.',
        'git rebase --edit-todo',
      );
    case 'autostash':
      return harm(
        'discard-changes',
        ', and with it the uncommitted changes that --autostash has put away.',
        `git ${file.operation} --quit   # keeps them as a stash`,
      );
    case 'git-directory':
      return harm('destroy-recovery', ": the repository's history, stashes and reflog.", null);
  }
}

function harm(rule: RuleId, why: string, suggestion: string | null): Harm {
  return { rule, why, suggestion };
}
