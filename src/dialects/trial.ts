/**
 * The force push that `doctor` hands to each agent's hook. Its refusal is no event: the audit trail leaves it out, and
 * with it nothing but the refusal of these very words.
 */
export const trialCommand = 'git push --force . HEAD:refs/heads/main # tried by oxide-guard doctor';
