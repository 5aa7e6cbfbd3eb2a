/** The names commitlint gives its rules: what machines compare and people search for. */
export const commitRuleNames = [
  'header-trim',
  'type-empty',
  'type-case',
  'type-enum',
  'scope-enum',
  'subject-empty',
  'subject-case',
  'subject-full-stop',
  'header-max-length',
  'body-leading-blank',
  'body-max-line-length',
  'footer-leading-blank',
  'footer-max-line-length',
] as const;

export type CommitRuleName = (typeof commitRuleNames)[number];
