import { quoteWord } from '../../quote.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { DestroyRecoveryIntent, DiscardIntent, Intent } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated, parseOptions } from './parse-options.ts';
import { known, textOf } from './words.ts';

/** What a call does: git's own command lines, which a shell could run in its place, or intents. */
type Effect = string | readonly Intent[] | null;

interface Extension {
  /** Options as in {@link optionTable}; others are skipped. */
  readonly options?: string;
  readonly effect: (args: Arguments, operands: readonly string[]) => Effect;
}

/** By subcommand; the empty name is the call without one that is listed. */
type Extensions = Readonly<Record<string, Extension>>;

const current = '"$(git branch --show-current)"';
const pushes = 'git push origin HEAD';
const always = (effect: Effect): Extension => ({ effect: () => effect });
const deletesBoth = (branch: string) => `git push origin --delete ${branch}; git branch -D ${branch}`;
/** Where it is on the remote: of the branches with this beginning none has a counterpart here, so they are pruned. */
const goneFromRemote = (branch: string) => `git push --prune origin 'refs/nothing/${branch}*:refs/heads/${branch}*'`;
const discards: readonly DiscardIntent[] = [{ kind: 'discard', what: { kind: 'tracked' }, means: 'It' }];

function replacesHistory(means: string): DestroyRecoveryIntent {
  return {
    kind: 'destroy-recovery',
    means,
    destroyed: 'the history of every branch it is given, replaced by a new one',
  };
}

function replacesHooks(means: string): Intent {
  return {
    kind: 'skip-hooks',
    means,
    skipped: 'the hooks that are installed, which it overwrites',
    suggestion: 'git lfs update --manual',
  };
}

function unknowable(source: string, reason: string): readonly Intent[] {
  return [{ kind: 'unreadable', source, reason, could: 'a push, or branches to be deleted' }];
}

/** git-lfs-migrate(1), git-lfs-update(1), git-lfs-install(1): `push` brings large files alone. */
const lfs: Extensions = {
  migrate: {
    options: 'everything include-ref= exclude-ref= I|include= X|exclude= y|yes no-rewrite m|message= fixup above=',
    effect(args, [mode = '', ...branches]) {
      if (mode !== 'import' && mode !== 'export') {
        return null;
      }
      const means = `git lfs migrate ${mode}`;
      const isAll = args.has('everything') || args.has('include-ref') || branches.length > 0;
      const replaced = isAll && !isNegated(args, 'rewrite') ? [replacesHistory(means)] : [];
      return [...replaced, ...(args.has('yes') ? discards.map((intent) => ({ ...intent, means })) : [])];
    },
  },
  update: {
    options: 'f|force m|manual',
    effect: (args) => (args.has('force') ? [replacesHooks('git lfs update --force')] : null),
  },
  install: {
    options: 'f|force l|local w|worktree system skip-repo manual s|skip-smudge file=',
    effect: (args) => (args.has('force') && !args.has('skip-repo') ? [replacesHooks('git lfs install --force')] : null),
  },
};

const shipped: Extension = {
  options: 'm|message= s|strategy= to-parent dry-run',
  effect: (args, [branch = current]) =>
    args.has('dry-run') ? null : `git push --all origin; git push origin --delete ${branch}`,
};
const deleted: Extension = {
  options: 'd|down dry-run',
  effect: (args, [branch = current]) => (args.has('dry-run') ? null : deletesBoth(branch)),
};
const renamed: Extension = {
  options: 'f|force dry-run',
  effect: (args, operands) =>
    args.has('dry-run')
      ? null
      : `git push origin --delete ${operands.length > 1 ? operands[0] : current}; git push origin ${operands.at(-1)}`,
};

/** Git Town's documentation, by command. Feature branches are pushed with a lease. */
const town: Extensions = {
  sync: {
    options: 'a|all dry-run p|push s|stack d|detached prune gone',
    effect(args) {
      if (args.has('dry-run') || isNegated(args, 'push')) {
        return null;
      }
      return args.has('all') ? 'git push --all origin' : pushes;
    },
  },
  ship: shipped,
  delete: deleted,
  kill: deleted,
  rename: renamed,
  'rename-branch': renamed,
  commit: {
    options: 'm|message= d|down= dry-run',
    effect(args) {
      const message = textOf(args.value('message'));
      return message === null || args.has('dry-run') ? null : `git commit -m ${quoteWord(message)}`;
    },
  },
  undo: always(unknowable('git town undo', 'what the last command did is not known')),
};

/** git-flow's `release` and `hotfix` push what they merged into where `--push` says so; the branch goes everywhere. */
const flow: Extensions = Object.fromEntries(
  ['feature', 'bugfix', 'release', 'hotfix'].map((type): [string, Extension] => [
    type,
    {
      options: `F|fetch r|rebase r2|remote f|force p|push pushproduction pushdevelop pushtag k|keep keepremote keeplocal
        D|force_delete n|notag m|message= S|squash T|tagname= u|signingkey= s|sign`,
      effect(args, [verb = '', name]) {
        const steps: string[] = [];
        if (verb === 'finish') {
          const isRelease = type === 'release' || type === 'hotfix';
          if (args.has('pushproduction') || args.has('pushdevelop') || (args.has('push') && isRelease)) {
            steps.push('git push --all origin');
          }
          if (!args.has('keep') && !args.has('keepremote') && name !== undefined) {
            steps.push(goneFromRemote(`${type}/${name}`));
          }
          return steps.join('; ');
        }
        if (verb !== 'delete') {
          return null;
        }
        const branch = name === undefined ? current : `${type}/${name}`;
        steps.push(`git branch ${args.has('force') ? '-D' : '-d'} ${branch}`);
        if (args.has('remote') || args.has('rebase')) {
          steps.push(`git push origin --delete ${branch}`);
        }
        return steps.join('; ');
      },
    },
  ]),
);

const finished: Extension = {
  options: 'r|remote= from= squash',
  effect: (_, [verb, name]) => (verb === 'finish' && name !== undefined ? deletesBoth(`feature/${name}`) : null),
};

/** Extensions without subcommands, by name: git-extras(1) and others, as their manuals (and scripts) say. */
const single: Extensions = {
  undo: {
    options: 's|soft hard h',
    effect(args, [count = '1']) {
      const isHard = args.has('hard') || args.has('h');
      const gentler = args.has('soft') ? 'soft' : 'mixed';
      return `git reset --${isHard ? 'hard' : gentler} HEAD~${count}`;
    },
  },
  sync: {
    options: 's|soft f|force',
    effect: (args, [remote, branch]) =>
      `git reset --hard ${remote === undefined || branch === undefined ? '@{upstream}' : `${remote}/${branch}`}${
        args.has('soft') ? '' : '; git clean -dfx'
      }`,
  },
  clear: always('git clean -dfx; git reset --hard'),
  'clear-soft': always('git clean -df; git reset --hard'),
  'fresh-branch': always('git clean -dfx; git rm -rf --cached .'),
  'delete-branch': { effect: (_, branches) => branches.map(deletesBoth).join('; ') },
  'delete-tag': {
    effect: (_, tags) => tags.map((tag) => `git tag -d ${tag}; git push origin --delete refs/tags/${tag}`).join('; '),
  },
  'rename-branch': renamed,
  'rename-tag': {
    effect: (_, [old, name]) =>
      old === undefined || name === undefined
        ? null
        : `git push origin ${name}; git push origin --delete refs/tags/${old}`,
  },
  'reset-file': {
    effect: (_, [file, commit = 'HEAD']) => (file === undefined ? null : `git checkout ${commit} -- ${file}`),
  },
  obliterate: always([replacesHistory('git obliterate')]),
  reauthor: always([replacesHistory('git reauthor')]),
  release: {
    options: 'c r= m= s= u= semver= prefix= no-empty-commit',
    effect: (args) => {
      const remote = args.value('r');
      return `git push ${remote === undefined ? '' : quoteWord(textOf(remote) ?? '')}; git push --tags`;
    },
  },
  magic: {
    options: 'a p f m= e',
    effect: (args) => (args.has('p') ? `git push${args.has('f') ? ' --force' : ''}` : null),
  },
  feature: finished,
  graft: { effect: (_, [branch]) => (branch === undefined ? null : deletesBoth(branch)) },
  'delete-squashed-branches': always(
    unknowable('git delete-squashed-branches', 'which branches it takes for merged is not known'),
  ),
  /** commitizen: it hands git its own options on. */
  cz: {
    options: 'n verify no-verify a|all s|signoff',
    effect: (args) => (args.has('n') || isNegated(args, 'verify') ? 'git commit --no-verify' : null),
  },
  /** git-machete(1): with `-y` it pushes every branch that it manages. */
  machete: {
    options: 'y|yes W',
    effect: (args, [verb]) =>
      verb === 'traverse' && (args.has('yes') || args.has('W')) ? 'git push --all origin' : null,
  },
  /** git-annex-sync(1): pushes the branch that is checked out. */
  annex: {
    options: 'push no-push content',
    effect: (args, [verb = '']) =>
      /^(?:sync|assist|push|satisfy)$/.test(verb) && !isNegated(args, 'push') ? pushes : null,
  },
  /** git-revise(1): makes the commits from the named one on again. */
  revise: {
    options: 'a p i|interactive e|edit c|cut m|message= root autosquash',
    effect: (_, [commit]) => (commit === undefined ? null : `git rebase -i ${commit}^`),
  },
  sweep: {
    effect: (_, [verb]) =>
      verb === 'cleanup'
        ? unknowable('git sweep cleanup', 'which branches of the remote it takes for merged is not known')
        : null,
  },
  trim: {
    options: 'no-confirm dry-run d|delete=',
    effect: (args) =>
      isNegated(args, 'confirm') && !args.has('dry-run')
        ? unknowable(
            'git trim --no-confirm',
            'which branches, here and on the remote, it takes for merged is not known',
          )
        : null,
  },
};

/** git-subrepo(1): the other repository, and which branch of it, stand in a file of the subdirectory. */
const subrepo: Extensions = {
  push: {
    options: 'a|all f|force r|remote= b|branch= s|squash u|update dry-run',
    effect: (args) =>
      args.has('force')
        ? unknowable('git subrepo push --force', 'which branch of the other repository it overwrites is not known')
        : null,
  },
};

const groups: Readonly<Record<string, Extensions>> = { lfs, town, flow, subrepo };

/**
 * What an extension of git does, as far as its documentation says; null: it is none that is known.
 *
 * @param name what follows `git`, where git has no such command and no alias of that name
 */
export function extensionIntents(name: string, words: readonly Word[]): readonly Intent[] | null {
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  const at = words.findIndex((word) => !(textOf(word) ?? '-').startsWith('-'));
  const verb = textOf(words[at]) ?? '';
  const [rows, key, rest] =
    group === undefined || at < 0
      ? [single, name, words]
      : [group, verb, [...words.slice(0, at), ...words.slice(at + 1)]];
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
  if (row === undefined) {
    return group === undefined ? null : [];
  }
  const args = parseOptions(optionTable(row.options ?? ''), rest);
  const effect = 'refused' in args ? null : row.effect(args, args.operands.map(quoted));
  const by = group === undefined ? `git ${name}` : `git ${name} ${verb}`;
  return typeof effect === 'string' ? runs(effect, by) : (effect ?? []);
}

function runs(script: string, by: string): readonly Intent[] {
  return script === '' ? [] : [{ kind: 'run', command: known(script), by }];
}

function quoted(word: Word): string {
  return word.kind === 'known' ? quoteWord(word.value) : word.source;
}
