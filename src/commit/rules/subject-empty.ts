import { inHeader, type Rule } from './rule.ts';

export const subjectEmpty: Rule = {
  name: 'subject-empty',
  check({ header, subject }) {
    if (subject !== null) {
      return null;
    }
    return { message: 'the header has no subject', ...inHeader(header, header?.text.length ?? 0, 0) };
  },
};
