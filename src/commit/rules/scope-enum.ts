import { inHeader, type Rule } from './rule.ts';

/** Several scopes may be named, separated by `/`, `\` or `,`. */
export const scopeEnum: Rule = {
  name: 'scope-enum',
  check({ header, type, scope }, { scopes }) {
    if (scope === null || scopes.length === 0 || scopes.includes(scope)) {
      return null;
    }
    const unknown = scope.split(/\/|\\|, ?/).find((part) => !scopes.includes(part));
    if (unknown === undefined) {
      return null;
    }
    return {
      message: `'${unknown}' is not one of the scopes (${scopes.join(', ')})`,
      ...inHeader(header, (type?.length ?? 0) + 1 + scope.indexOf(unknown), unknown.length),
    };
  },
};
