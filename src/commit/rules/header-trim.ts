import { inHeader, type Rule } from './rule.ts';

export const headerTrim: Rule = {
  name: 'header-trim',
  check({ header }) {
    if (header === null || header.text === header.text.trim()) {
      return null;
    }
    const leading = header.text.length - header.text.trimStart().length;
    if (leading > 0) {
      return {
        message: 'the header begins with whitespace',
        ...inHeader(header, 0, leading),
        replacement: '',
      };
    }
    const end = header.text.trimEnd().length;
    return {
      message: 'the header ends with whitespace',
      ...inHeader(header, end, header.text.length - end),
      replacement: '',
    };
  },
};
