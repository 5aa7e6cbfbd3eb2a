import type { Repository } from '../../git/repository.ts';
import { Git, type GitOutput, type RunOptions } from '../../git/runner.ts';

/** Facts about history, which the repository itself reads anew each time it is asked. */
const remembered = new Set<keyof Repository>(['commits', 'divergence', 'resolveAll']);
/** Facts that hold as long as refs, HEAD and configuration are what they were. */
const ofHistory = new Set<keyof Repository>([
  'config',
  'head',
  'refs',
  'ref',
  'remoteDefaultBranch',
  'resolve',
  'isAncestor',
  'shallowCommits',
  ...remembered,
]);

/** git, asked the same only once. */
class RememberingGit extends Git {
  readonly #outputs = new Map<string, Promise<GitOutput>>();

  override run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    const key = JSON.stringify([args, options]);
    const output = this.#outputs.get(key) ?? super.run(args, options);
    this.#outputs.set(key, output);
    return output;
  }
}

/** What was read of a repository's history; handed on while nothing there has changed. */
export interface History {
  readonly repository: Repository;
  readonly answers: Map<string, unknown>;
}

export function freshHistory(repository: Repository): History {
  return { repository, answers: new Map() };
}

/**
 * A repository that reads every fact at most once.
 *
 * @param tree answers what is about the work tree
 * @param history answers what is about refs, commits and configuration
 */
export function remembering(tree: Repository, history: History): Repository {
  const git = new RememberingGit(tree.git.context);
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
