import type { Rule } from './rule.ts';

/** Looks above the first line that reads like the footer's first one, counting from the end at the top, as commitlint does. */
export const footerLeadingBlank: Rule = {
  name: 'footer-leading-blank',
  check({ footer, lines }) {
    if (footer === null) {
      return null;
    }
    const [first = ''] = footer.lines;
    if (lines.at(lines.indexOf(first) - 1) === '') {
      return null;
    }
    return {
      message: 'no blank line above the footer',
      position: { line: footer.firstLine + 1, column: 1, length: 0 },
    };
  },
};
