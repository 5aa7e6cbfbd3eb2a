import { bodyLeadingBlank } from './body-leading-blank.ts';
import { bodyMaxLineLength } from './body-max-line-length.ts';
import { footerLeadingBlank } from './footer-leading-blank.ts';
import { footerMaxLineLength } from './footer-max-line-length.ts';
import { headerMaxLength } from './header-max-length.ts';
import { headerTrim } from './header-trim.ts';
import type { Rule } from './rule.ts';
import { scopeEnum } from './scope-enum.ts';
import { subjectCase } from './subject-case.ts';
import { subjectEmpty } from './subject-empty.ts';
import { subjectFullStop } from './subject-full-stop.ts';
import { typeCase } from './type-case.ts';
import { typeEmpty } from './type-empty.ts';
import { typeEnum } from './type-enum.ts';

/** Every rule, in the order in which problems are told: from the top of the message to its end. */
export const catalogue: readonly Rule[] = [
  headerTrim,
  typeEmpty,
  typeCase,
  typeEnum,
  scopeEnum,
  subjectEmpty,
  subjectCase,
  subjectFullStop,
  headerMaxLength,
  bodyLeadingBlank,
  bodyMaxLineLength,
  footerLeadingBlank,
  footerMaxLineLength,
];
