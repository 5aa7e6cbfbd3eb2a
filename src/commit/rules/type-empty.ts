import { inHeader, type Rule } from './rule.ts';

export const typeEmpty: Rule = {
  name: 'type-empty',
  check({ header, type }) {
    return type === null ? { message: 'the header has no type', ...inHeader(header, 0, 0) } : null;
  },
};
