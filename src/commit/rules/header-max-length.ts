import { inHeader, type Rule } from './rule.ts';

export const headerMaxLength: Rule = {
  name: 'header-max-length',
  check({ header }, { headerMaxLength: limit }) {
    if (header === null) {
      return { message: 'there is no header' };
    }
    if (header.text.length <= limit) {
      return null;
    }
    return {
      message: `the header is ${header.text.length} characters long, ${limit} are allowed`,
      ...inHeader(header, limit, header.text.length - limit),
    };
  },
};
