import type { Repository } from '../../git/repository.ts';
import type { Git } from '../../git/runner.ts';

type Facts = Omit<Repository, 'gitDir' | 'commonDir' | 'git'>;

/** A repository of which some facts are other ones. Not a Proxy, through which each question would cost several. */
export class ReplacedRepository<OwnGit extends Git> implements Repository {
  readonly cwd: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | null;
  readonly git: OwnGit;
  /** The one whose other facts they are. */
  readonly past: Repository;

  /** @param facts stand before the methods of the same names; null: a class of its own has them */
  constructor(past: Repository, git: OwnGit, facts: Partial<Facts> | null) {
    this.cwd = past.cwd;
    this.gitDir = past.gitDir;
    this.commonDir = past.commonDir;
    this.workTree = past.workTree;
    this.git = git;
    this.past = past;
    if (facts !== null) {
      Object.assign(this, facts);
    }
  }

  config(): ReturnType<Repository['config']> {
    return this.past.config();
  }

  head(): ReturnType<Repository['head']> {
    return this.past.head();
  }

  refs(): ReturnType<Repository['refs']> {
    return this.past.refs();
  }

  otherHeads(): ReturnType<Repository['otherHeads']> {
    return this.past.otherHeads();
  }

  ref(name: string): ReturnType<Repository['ref']> {
    return this.past.ref(name);
  }

  refTarget(name: string): ReturnType<Repository['refTarget']> {
    return this.past.refTarget(name);
  }

  status(): ReturnType<Repository['status']> {
    return this.past.status();
  }

  hiddenChanges(): ReturnType<Repository['hiddenChanges']> {
    return this.past.hiddenChanges();
  }

  remoteDefaultBranch(remote: string): ReturnType<Repository['remoteDefaultBranch']> {
    return this.past.remoteDefaultBranch(remote);
  }

  resolve(revision: string): ReturnType<Repository['resolve']> {
    return this.past.resolve(revision);
  }

  resolveAll(revisions: readonly string[]): ReturnType<Repository['resolveAll']> {
    return this.past.resolveAll(revisions);
  }

  isAncestor(ancestor: string, descendant: string): ReturnType<Repository['isAncestor']> {
    return this.past.isAncestor(ancestor, descendant);
  }

  commits(tips: readonly string[], except: readonly string[], limit?: number): ReturnType<Repository['commits']> {
    return this.past.commits(tips, except, limit);
  }

  divergence(left: string, right: string): ReturnType<Repository['divergence']> {
    return this.past.divergence(left, right);
  }

  shallowCommits(): ReturnType<Repository['shallowCommits']> {
    return this.past.shallowCommits();
  }
}

/**
 * The repository as it was opened, of one that is only seen in another way: with a command's own settings, or as the
 * line leaves it. What depends on none of that is read once for it.
 */
export function asOpened(repository: Repository): Repository {
  const past = repository instanceof ReplacedRepository ? repository.past : null;
  const isSamePlace = past?.cwd === repository.cwd && past.workTree === repository.workTree;
  return past !== null && isSamePlace ? asOpened(past) : repository;
}

/** A repository of which some facts are other ones. */
export function replaced(repository: Repository, facts: Partial<Facts>): Repository {
  return new ReplacedRepository(repository, repository.git, facts);
}
