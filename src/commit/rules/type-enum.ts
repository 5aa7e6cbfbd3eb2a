import { inHeader, type Rule } from './rule.ts';

export const typeEnum: Rule = {
  name: 'type-enum',
  check({ header, type }, { types }) {
    if (type === null || types.includes(type)) {
      return null;
    }
    return { message: `'${type}' is not one of the types`, ...inHeader(header, 0, type.length) };
  },
};
