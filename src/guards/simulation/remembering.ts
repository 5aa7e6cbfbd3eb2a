import type { Repository } from '../../git/repository.ts';
import { Git, type GitContext, type GitOutput, type RunOptions } from '../../git/runner.ts';

/** Subcommands that read refs and commits, never the work tree. */
const historyReaders: ReadonlySet<string> = new Set(['rev-list', 'rev-parse', 'for-each-ref', 'cat-file', 'diff']);

/**
 * Does git read nothing but refs and commits for this, whatever upstream a branch has? `diff` is only ever asked to
 * compare commits.
 */
export function readsHistory(args: readonly string[], { input = '' }: RunOptions = {}): boolean {
  const isText = typeof input === 'string';
  return isText && historyReaders.has(args[0] ?? '') && ![...args, input].some((text) => text.includes('@{'));
}

type Outputs = Map<string, Promise<GitOutput>>;

/** git, asked the same only once. */
class RememberingGit extends Git {
  readonly #ofTree: Outputs = new Map();
  readonly #ofHistory: Outputs;

  constructor(context: GitContext, ofHistory: Outputs) {
    super(context);
    this.#ofHistory = ofHistory;
  }

  override run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    const outputs = readsHistory(args, options) ? this.#ofHistory : this.#ofTree;
    const key = JSON.stringify([args, options]);
    const output = outputs.get(key) ?? super.run(args, options);
    outputs.set(key, output);
    output.catch(() => outputs.delete(key));
    return output;
  }
}

/** What was read of a repository's history; handed on while nothing there has changed. */
export interface History {
  readonly repository: Repository;
  readonly answers: Map<string, unknown>;
  readonly outputs: Outputs;
}

export function freshHistory(repository: Repository): History {
  return { repository, answers: new Map(), outputs: new Map() };
}

/**
 * A repository that reads every fact at most once.
 *
 * @param tree answers what is about the work tree
 * @param history answers what is about refs, commits and configuration
 */
export function remembering(tree: Repository, history: History): Repository {
  const { repository: past, answers, outputs } = history;
  return {
    cwd: tree.cwd,
    gitDir: tree.gitDir,
    commonDir: tree.commonDir,
    workTree: tree.workTree,
    git: new RememberingGit(tree.git.context, outputs),
    status: () => tree.status(),
    config: () => past.config(),
    head: () => past.head(),
    refs: () => past.refs(),
    remoteDefaultBranch: (remote) => past.remoteDefaultBranch(remote),
    resolve: (revision) => past.resolve(revision),
    isAncestor: (ancestor, descendant) => past.isAncestor(ancestor, descendant),
    shallowCommits: () => past.shallowCommits(),
    // The repository itself reads these anew each time it is asked.
    ref: (name) => once(answers, `ref ${name}`, () => past.ref(name)),
    resolveAll: (revisions) => once(answers, keyOf('resolveAll', revisions), () => past.resolveAll(revisions)),
    commits: (tips, except, limit) =>
      once(answers, keyOf('commits', [tips, except, limit]), () => past.commits(tips, except, limit)),
    divergence: (left, right) => once(answers, keyOf('divergence', [left, right]), () => past.divergence(left, right)),
  };
}

function keyOf(fact: string, args: unknown): string {
  return JSON.stringify([fact, args]);
}

function once<Answer>(answers: Map<string, unknown>, key: string, ask: () => Answer): Answer {
  const answer = answers.has(key) ? (answers.get(key) as Answer) : ask();
  answers.set(key, answer);
  return answer;
}
