import { inHeader, type Rule } from './rule.ts';

export const typeCase: Rule = {
  name: 'type-case',
  check({ header, type }) {
    if (type === null || /^\d/.test(type) || type === type.toLowerCase()) {
      return null;
    }
    return {
      message: `the type '${type}' is not in lower case`,
      ...inHeader(header, 0, type.length),
      replacement: type.toLowerCase(),
    };
  },
};
