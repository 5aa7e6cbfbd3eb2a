import type { Repository } from '../../git/repository.ts';
import { Git, type GitContext, type GitOutput, type RunOptions } from '../../git/runner.ts';
import type { Outputs, TreeFacts } from './tree-facts.ts';

/** Subcommands that read refs and commits, never the work tree. */
const historyReaders =
  /^(?:cat-file|cherry|describe|diff-tree|for-each-ref|log|ls-tree|merge-base|name-rev|rev-list|rev-parse|show-ref)$/;

/** What else they are asked for by some words: reflogs, upstreams, MERGE_HEAD, the index, the work tree. */
const besideHistory = /@\{|_HEAD\b|^:|^--(?:fork-point|dirty|broken|reflog|walk-reflogs)|^-g$/m;

/** Does git read nothing but refs and commits for this, whatever upstream a branch has? */
export function readsHistory(args: readonly string[], { input = '' }: RunOptions = {}): boolean {
  const [subcommand = '', ...rest] = args.filter((word) => word !== '--literal-pathspecs');
  const isReader = historyReaders.test(subcommand) || (subcommand === 'diff' && comparesCommits(rest));
  const isText = typeof input === 'string';
  return isReader && isText && ![...rest, input].some((text) => besideHistory.test(text));
}

/** git-diff(1): one commit is compared with the work tree, two with each other. */
function comparesCommits(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const given = words.slice(0, end < 0 ? words.length : end).filter((word) => !word.startsWith('-'));
  return given.length === 2;
}

interface Answers {
  readonly tree: TreeFacts;
  readonly ofHistory: Outputs;
}

/** git, asked the same only once. */
export class RememberingGit extends Git {
  readonly answers: Answers;

  constructor(context: GitContext, answers: Answers) {
    super(context);
    this.answers = answers;
  }

  override run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    return this.remembered([args, options], readsHistory(args, options), () => this.ask(args, options));
  }

  /** @param question all that the answer depends on, besides the repository */
  protected async remembered(
    question: unknown,
    isOfHistory: boolean,
    ask: () => Promise<GitOutput>,
  ): Promise<GitOutput> {
    const { tree, ofHistory } = this.answers;
    const outputs = isOfHistory ? ofHistory : (await tree.current()).outputs;
    const key = JSON.stringify(question);
    const output = outputs.get(key) ?? ask();
    outputs.set(key, output);
    output.catch(() => outputs.delete(key));
    return output;
  }

  /** Asks git, whatever is remembered. */
  protected ask(args: readonly string[], options: RunOptions): Promise<GitOutput> {
    return super.run(args, options);
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

/** A repository that others are seen through: {@link commandView}. */
export interface RememberingRepository extends Repository {
  readonly git: RememberingGit;
}

/**
 * A repository that reads every fact at most once.
 *
 * @param location where it is, and how git runs there
 * @param tree answers what is about the work tree
 * @param history answers what is about refs, commits and configuration
 */
export function remembering(location: Repository, tree: TreeFacts, history: History): RememberingRepository {
  const { repository: past, answers, outputs } = history;
  return {
    cwd: location.cwd,
    gitDir: location.gitDir,
    commonDir: location.commonDir,
    workTree: location.workTree,
    git: new RememberingGit(location.git.context, { tree, ofHistory: outputs }),
    status: async () => (await tree.current()).repository.status(),
    hiddenChanges: async () => (await tree.current()).repository.hiddenChanges(),
    config: () => past.config(),
    head: () => past.head(),
    refs: () => past.refs(),
    otherHeads: () => past.otherHeads(),
    remoteDefaultBranch: (remote) => past.remoteDefaultBranch(remote),
    resolve: (revision) => past.resolve(revision),
    isAncestor: (ancestor, descendant) => past.isAncestor(ancestor, descendant),
    shallowCommits: () => past.shallowCommits(),
    // The repository itself reads these anew each time it is asked.
    ref: (name) => once(answers, `ref ${name}`, () => past.ref(name)),
    refTarget: (name) => once(answers, `target ${name}`, () => past.refTarget(name)),
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
