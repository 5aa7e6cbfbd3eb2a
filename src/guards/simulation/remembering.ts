import type { Repository } from '../../git/repository.ts';
import { Git, type GitContext, type GitOutput, type RunOptions } from '../../git/runner.ts';

/** Facts about history, which the repository itself reads anew each time it is asked. */
const remembered = new Set<keyof Repository>(['commits', 'divergence', 'ref', 'resolveAll']);
/** Facts that hold as long as refs, HEAD and configuration are what they were. */
const ofHistory = new Set<keyof Repository>([
  'config',
  'head',
  'refs',
  'remoteDefaultBranch',
  'resolve',
  'isAncestor',
  'shallowCommits',
  ...remembered,
]);

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
  const git = new RememberingGit(tree.git.context, history.outputs);
  return new Proxy(tree, {
    get(target, property: keyof Repository & string) {
      if (property === 'git') {
        return git;
      }
      const source = ofHistory.has(property) ? history.repository : target;
      const value: unknown = Reflect.get(source, property, source);
      if (typeof value !== 'function') {
        return value;
      }
      return remembered.has(property) ? once(history.answers, property, value.bind(source)) : value.bind(source);
    },
  });
}

function once(answers: Map<string, unknown>, name: string, ask: (...args: unknown[]) => unknown) {
  return (...args: unknown[]): unknown => {
    const key = JSON.stringify([name, args]);
    if (!answers.has(key)) {
      answers.set(key, ask(...args));
    }
    return answers.get(key);
  };
}
