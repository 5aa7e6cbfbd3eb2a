import type { Repository } from '../../git/repository.ts';

/** A repository of which some facts are other ones. */
export function replaced(repository: Repository, facts: Partial<Repository>): Repository {
  return new Proxy(repository, {
    get(target, property) {
      const fact: unknown = Reflect.get(facts, property);
      if (fact !== undefined) {
        return fact;
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
