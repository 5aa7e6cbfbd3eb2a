import { inHeader, type Rule } from './rule.ts';

/** An ellipsis is no full stop. */
export const subjectFullStop: Rule = {
  name: 'subject-full-stop',
  check({ header }) {
    if (header === null || !header.text.endsWith('.') || header.text.endsWith('...')) {
      return null;
    }
    return {
      message: 'the subject ends with a full stop',
      ...inHeader(header, header.text.length - 1, 1),
      replacement: '',
    };
  },
};
