import type { Rule } from './rule.ts';

export const bodyLeadingBlank: Rule = {
  name: 'body-leading-blank',
  check({ body, lines }) {
    if (body === null || lines[1] === '') {
      return null;
    }
    return {
      message: 'no blank line between header and body',
      position: { line: body.firstLine + 1, column: 1, length: 0 },
    };
  },
};
