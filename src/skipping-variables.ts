/** Environment variables by which hook managers and the guard itself are told to stand aside. */
export const skippingVariables = [
  'HUSKY',
  'HUSKY_SKIP_HOOKS',
  'LEFTHOOK',
  'LEFTHOOK_EXCLUDE',
  'LEFTHOOK_BIN',
  'LEFTHOOK_CONFIG',
  'SKIP',
  'PRE_COMMIT_ALLOW_NO_CONFIG',
  'SKIP_SIMPLE_GIT_HOOKS',
  'OVERCOMMIT_DISABLE',
  'PREK_SKIP',
  'GITHOOKS_DISABLE',
  'OXIDE_GUARD',
  'OXIDE_GUARD_CONFIRM',
] as const;

export type SkippingVariable = (typeof skippingVariables)[number];
