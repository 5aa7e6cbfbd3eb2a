import { z } from 'zod';
import { hookEvents, providerNames } from './agent-settings.ts';
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

const hookCommand = z.strictObject({
  matcher: z
    .string()
    .refine(isRegularExpression, 'a regular expression, e.g. "Edit|Write"')
    .optional()
    .describe('Tool names or subagent types, as a regular expression that must match the whole. Default: all.'),
  command: z.string().min(1).describe('Reads JSON from its standard input, answers with JSON on its standard output.'),
  timeout: z.int().min(1).max(600_000).optional().describe('Milliseconds. Default: 60000.'),
});

function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

const permissionRules = z.array(
  z.string().regex(/^[\w*-]+(\(.*\))?$/s, 'a tool with its argument, e.g. "Bash(npm test:*)"'),
);

const price = z.number().min(0);

const agentSettings = z.strictObject({
  checkpoints: z
    .boolean()
    .optional()
    .describe('Take a checkpoint before a risky command is let through. Default: true.'),
  rewrite: z
    .boolean()
    .optional()
    .describe('Offer an exact safe rewrite (--force → --force-with-lease) to agents. Default: false.'),
  model: z.string().min(1).nullable().optional().describe('The model of `oxide-guard agent`, or one of its aliases.'),
  provider: z.enum(providerNames).nullable().optional().describe('How the model is spoken to.'),
  baseUrl: z.url().nullable().optional().describe('Where the provider is, e.g. "http://localhost:11434/v1".'),
  aliases: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe('Model names by alias; sonnet, opus and haiku are there.'),
  maxTurns: z.int().min(1).optional().describe('Turns of the model for one prompt. Default: 100.'),
  compactAt: z
    .int()
    .min(1000)
    .optional()
    .describe('Input tokens of one turn at which older messages are summarised. Default: 150000.'),
  permissions: z
    .strictObject({
      allow: permissionRules.optional(),
      ask: permissionRules.optional(),
      deny: permissionRules.optional(),
    })
    .optional()
    .describe('Rules for tool calls, e.g. {"allow": ["Bash(npm test:*)"], "deny": ["Read(.env)"]}.'),
  hooks: z
    .strictObject(
      Object.fromEntries(hookEvents.map((event) => [event, z.array(hookCommand).optional()])) as Record<
        (typeof hookEvents)[number],
        z.ZodOptional<z.ZodArray<typeof hookCommand>>
      >,
    )
    .optional()
    .describe('Commands that are asked or told when something happens in a session.'),
  allowUnsandboxed: z
    .boolean()
    .optional()
    .describe('May a command run without the sandbox, once a person has confirmed it? Default: true.'),
  requireSandbox: z.boolean().optional().describe('Refuse to run commands where no sandbox works. Default: false.'),
  sandboxNetwork: z.boolean().optional().describe('Let sandboxed commands reach the network. Default: false.'),
  controlPlane: z
    .boolean()
    .optional()
    .describe(
      'Give sessions of `oxide-guard agent` the control plane’s tools: projects, sessions, schedules, … Default: false.',
    ),
  mcpServers: z
    .record(
      z.string().regex(/^[\w-]+$/, 'a name of letters, digits, - and _'),
      z.union([
        z.strictObject({
          command: z.string().min(1).describe('A program that speaks MCP on its standard streams.'),
          args: z.array(z.string()).optional(),
          env: z.record(z.string(), z.string()).optional(),
        }),
        z.strictObject({
          url: z.url({ protocol: /^https?$/ }).describe('Where a server listens that speaks MCP over streamable HTTP.'),
          headers: z
            .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'the name of a header'), z.string())
            .optional()
            .describe(`Of every request; \${NAME} and \${NAME:-default} stand for variables of the environment.`),
        }),
      ]),
    )
    .optional()
    .describe('MCP servers whose tools join the session’s, by name.'),
  prices: z
    .record(z.string(), z.strictObject({ input: price, output: price, cachedInput: price.optional() }))
    .optional()
    .describe('US dollars for a million tokens, by model name; for the cost report.'),
});

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
    agent: agentSettings.optional().describe('How the commands of coding agents are handled, and the guarded agent.'),
  })
  .describe('Configuration of oxide-guard.');

/** Fails to compile when the schema and the type part ways. */
type Accepted = z.output<typeof configurationFile>;
export const asConfigurationFile = (accepted: Accepted): ConfigurationFile => accepted;

/** The published JSON Schema (draft 2020-12). */
export function jsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configurationFile) as Record<string, unknown>;
}
