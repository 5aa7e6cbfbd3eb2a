import { shown } from './git-command/words.ts';
import type {
  BringFilesIntent,
  ChangeFilesIntent,
  CommitIntent,
  Discarded,
  FetchIntent,
  Intent,
  PushIntent,
  RefName,
  SwitchIntent,
} from './intent.ts';

const stashWords = {
  push: 'puts changes into a stash',
  apply: 'brings back the changes of a stash',
  remove: 'takes a stash out',
  store: 'makes a stash of a commit',
} as const;

const remoteWords = {
  add: 'adds the remote',
  'set-url': 'changes the URL of the remote',
  'set-push-url': 'changes where pushes go of the remote',
  remove: 'removes the remote',
  rename: 'renames the remote',
} as const;

/** What an intent means, as a clause for `explain`: `discards every change of a tracked file`. */
export function describeIntent(intent: Intent): string {
  switch (intent.kind) {
    case 'push':
      return describePush(intent);
    case 'commit':
      return describeCommit(intent);
    case 'grow':
      return `${intent.merges ? 'merges' : 'makes commits of'} ${intent.commits.map(shown).join(' ')}`;
    case 'take-back':
      return `takes back what ${intent.commits.map(shown).join(' ')} has changed`;
    case 'skip-hooks':
      return `skips ${intent.skipped}`;
    case 'discard':
      return `discards ${describeDiscarded(intent.what)}`;
    case 'move-ref':
      return `moves ${describeRef(intent.ref)} to ${intent.to === null ? 'what it fetches' : shown(intent.to)}`;
    case 'delete-ref':
      return `deletes ${intent.refs.map(describeRef).join(', ')}`;
    case 'remove-worktree':
      return `removes the work tree ${shown(intent.path)}`;
    case 'forget-worktrees':
      return intent.path === null
        ? 'forgets work trees whose directory is gone'
        : `forgets the work tree ${shown(intent.path)} if its directory is gone`;
    case 'rename-ref':
      return `renames ${describeRef(intent.from)} to ${shown(intent.to.name)}`;
    case 'import':
      return 'makes branches from a stream of commits';
    case 'fetch':
      return `fetches from ${describeSource(intent)}`;
    case 'rewrite':
      return 'replaces commits by new ones';
    case 'destroy-recovery':
      return `removes ${intent.destroyed}`;
    case 'configure':
      return intent.value === null
        ? `removes the setting ${shown(intent.key)}`
        : `sets ${shown(intent.key)} to ${shown(intent.value)} (${intent.scope})`;
    case 'remote':
      return `${remoteWords[intent.action]} ${shown(intent.name)}`;
    case 'run':
      return `${intent.by} starts ${'length' in intent.command ? intent.command.map(shown).join(' ') : shown(intent.command)}`;
    case 'switch':
      return describeSwitch(intent);
    case 'edit-list':
      return 'edits the list of a rebase';
    case 'leave-submodules':
      return `checks out other commits in submodules${intent.recurses === 'as-configured' ? ' if submodule.recurse is set' : ''}`;
    case 'call-off':
      return intent.way === 'skip' ? `leaves a commit of a ${intent.operation} out` : `calls off a ${intent.operation}`;
    case 'go-on':
      return `goes on with a ${intent.operation}`;
    case 'track':
      return intent.upstream === null ? 'takes the upstream away' : `makes ${shown(intent.upstream)} the upstream`;
    case 'stash':
      return stashWords[intent.action];
    case 'stage':
      return `stages ${intent.paths.map(shown).join(' ')}`;
    case 'bring-files':
      return describeBrought(intent);
    case 'change-files':
      return describeFiles(intent);
    case 'change-index':
      return `changes ${intent.paths.map(shown).join(' ')} in the index`;
    case 'write-files':
      return `writes ${intent.paths.map(shown).join(' ')}`;
    case 'patch':
      return 'changes files by a patch';
    case 'version':
      return `does a ${intent.operation}`;
    case 'publish':
      return intent.says;
    case 'unreadable':
      return `has a part that can't be read: ${intent.source}`;
  }
}

function describeCommit({ amend, message }: CommitIntent): string {
  const deed = amend ? 'replaces the newest commit' : 'makes a commit';
  const place = message.kind === 'elsewhere' ? 'not on the command line' : 'on the command line';
  return `${deed}, its message ${place}`;
}

function describeSource({ all, remote }: FetchIntent): string {
  if (all) {
    return 'every remote';
  }
  return remote === null ? 'the default remote' : shown(remote);
}

function describeSwitch({ to, create, ends }: SwitchIntent): string {
  if (to === null && ends !== undefined) {
    return `goes back to where the ${ends === 'bisect' ? 'bisection' : 'rebase'} began`;
  }
  const target = to === null ? 'another branch' : shown(to);
  return create ? `creates and switches to ${target}` : `switches to ${target}`;
}

function describeBrought({ source }: BringFilesIntent): string {
  switch (source.kind) {
    case 'commit':
      return `brings the files of ${shown(source.commit)}`;
    case 'stash':
      return 'brings the files of a stash';
    default:
      return `brings what ${source.commits.map(shown).join(' ')} changed`;
  }
}

function describeFiles({ paths, to }: ChangeFilesIntent): string {
  const given = paths.map(shown).join(' ');
  switch (to) {
    case 'nothing':
      return `removes ${given} from the work tree`;
    case 'nothing-else':
      return `removes all but ${given || 'what is at the top'} from the work tree`;
    default:
      return `makes ${given} what they are in ${shown(to.commit)}`;
  }
}

function describePush({ request }: PushIntent): string {
  const { refspecs, mirror, repository } = request;
  const target = repository ?? 'the default remote';
  const deleting = request.delete ? ', deleting' : '';
  const dry = request.dryRun ? ' (dry run)' : '';
  return `pushes ${describeRefspecs(refspecs, mirror)} to ${target}${describeForce(request)}${deleting}${dry}`;
}

function describeForce({ force, leases }: PushIntent['request']): string {
  if (force) {
    return ', by force';
  }
  return leases.length > 0 ? ', by force under a lease' : '';
}

function describeRefspecs(refspecs: readonly string[], mirror: boolean): string {
  if (mirror) {
    return 'every ref, as a mirror';
  }
  return refspecs.length === 0 ? 'what git chooses by push.default and the upstream' : refspecs.join(' ');
}

function describeRef(ref: RefName | null): string {
  return ref === null ? 'the current branch' : `${ref.namespace}${shown(ref.name)}`;
}

function describeDiscarded(what: Discarded): string {
  switch (what.kind) {
    case 'tracked':
      return 'every uncommitted change of a tracked file';
    case 'staged':
      return 'staged changes';
    case 'paths':
      return `uncommitted changes in ${what.paths.map(shown).join(' ')}`;
    case 'branch-or-path':
      return `uncommitted changes in ${what.words.map(shown).join(' ')}, if that is a path and no branch`;
    case 'overwritten':
      return `what is at ${shown(what.target)}`;
    case 'untracked':
      return 'untracked files';
    case 'outside-sparse':
      return 'untracked files outside of the sparse checkout';
    case 'left-out':
      return 'ignored files in directories that leave the sparse checkout';
    case 'stash':
      return what.entry === 'all' ? 'every stash' : 'a stash';
    case 'worktree':
      return `the working tree ${shown(what.path)}`;
    case 'submodules':
      return what.refusesChanges === true
        ? `ignored files in submodules, if ${what.paths.map(shown).join(' ')} has some`
        : 'changes in submodules';
  }
}
