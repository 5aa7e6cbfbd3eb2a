import { longLine } from './line-length.ts';
import type { Rule } from './rule.ts';

export const footerMaxLineLength: Rule = {
  name: 'footer-max-line-length',
  check: ({ footer }, { footerMaxLineLength: limit }) => longLine('footer', footer, limit),
};
