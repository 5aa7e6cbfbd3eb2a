import { z } from 'zod';
import { commitRuleNames } from './commit-rule.ts';
import type { ConfigurationFile } from './configuration.ts';
import { type RuleId, rules } from './rules.ts';

const verdict = z.enum(['off', 'allow', 'ask', 'deny']);

const ruleVerdicts = z.strictObject(
  Object.fromEntries(
    Object.entries(rules).map(([id, rule]) => [
      id,
      verdict.optional().describe(`${rule.summary} Default: ${rule.default}.`),
    ]),
  ) as Record<RuleId, z.ZodOptional<typeof verdict>>,
);

const branchGlob = z
  .string()
  .min(1)
  .refine((glob) => !/\s/.test(glob), 'a branch name or glob holds no white space, e.g. "release/*"');

/** A configuration file. Unknown keys are errors: a misspelt protection protects nothing. */
export const configurationFile = z
  .strictObject({
    $schema: z.string().optional().describe('Where an editor finds this schema.'),
    protectedBranches: z
      .array(branchGlob)
      .optional()
      .describe(
        'Branches protected besides main, master and the remote’s default branch, as globs ("release/*"). "!master" takes one out.',
      ),
    rules: ruleVerdicts.optional().describe('The verdict of each rule: off, allow (a notice), ask or deny.'),
    commit: z
      .strictObject({
        types: z.array(z.string().min(1)).min(1).nullable().optional().describe('Allowed types, e.g. ["feat", "fix"].'),
        scopes: z.array(z.string().min(1)).min(1).nullable().optional().describe('Allowed scopes; null for any.'),
        headerMaxLength: z.int().min(10).nullable().optional().describe('Longest header in characters. Default: 100.'),
        rules: z
          .partialRecord(z.enum(commitRuleNames), z.enum(['off', 'warning', 'error']))
          .optional()
          .describe('Severity of a commit message rule by its commitlint name, e.g. {"subject-case": "warning"}.'),
      })
      .optional()
      .describe('Commit messages. A commitlint configuration in the repository takes precedence.'),
    agent: z
      .strictObject({
        checkpoints: z
          .boolean()
          .optional()
          .describe('Take a checkpoint before a risky command is let through. Default: true.'),
        rewrite: z
          .boolean()
          .optional()
          .describe('Offer an exact safe rewrite (--force → --force-with-lease) to agents. Default: false.'),
      })
      .optional()
      .describe('How the commands of coding agents are handled.'),
  })
  .describe('Configuration of oxide-guard.');

/** Fails to compile when the schema and the type part ways. */
type Accepted = z.output<typeof configurationFile>;
export const asConfigurationFile = (accepted: Accepted): ConfigurationFile => accepted;

/** The published JSON Schema (draft 2020-12). */
export function jsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configurationFile) as Record<string, unknown>;
}
