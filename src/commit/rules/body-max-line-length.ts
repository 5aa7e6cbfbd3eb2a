import { longLine } from './line-length.ts';
import type { Rule } from './rule.ts';

export const bodyMaxLineLength: Rule = {
  name: 'body-max-line-length',
  check: ({ body }, { bodyMaxLineLength: limit }) => longLine('body', body, limit),
};
