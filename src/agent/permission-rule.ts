import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { shown } from '../guards/git-command/words.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { compileGlob } from '../tools/glob-pattern.ts';
import type { Tool } from '../tools/tool.ts';

/** A tool call as rules see it. */
export interface RuledCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Absolute: where relative paths of the input start. */
  readonly cwd: string;
  /**
   * Absolute: where relative paths of rules start; it must not move with the agent. Allowances hold for the first,
   * denials and questions for each. Default: the working directory.
   */
  readonly bases?: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * `Bash(npm test:*)`, `Bash(=npm test | tail)`, `project(delete)`: a tool, or several by `*`, and what its input must be
 * like; null: any.
 */
export interface PermissionRule {
  readonly source: string;
  readonly tool: string;
  readonly argument: string | null;
}

export function parsePermissionRule(source: string): PermissionRule {
  const [, tool = source, argument = null] = /^([\w*-]+)\((.*)\)$/s.exec(source) ?? [];
  return { source, tool, argument: argument === '' || argument === '*' ? null : argument };
}

/**
 * Does a rule apply to a call? An allowance must cover all that the call does: every command of a command line, every
 * path. A denial or a question needs one of them.
 */
export function ruleApplies(rule: PermissionRule, call: RuledCall, quantity: 'all' | 'some'): boolean {
  const { tool } = call;
  const access = rule.tool === 'Edit' ? 'write' : rule.tool === 'Read' ? 'read' : null;
  const paths = tool.touches(call.input, call.cwd).filter((touched) => access === null || touched.access === access);
  const isFamily = access !== null && paths.length > 0 && tool.shellCommand === undefined;
  if (!namePattern(rule.tool).test(tool.name) && !isFamily) {
    return false;
  }
  if (rule.argument === null) {
    return true;
  }
  const command = tool.shellCommand?.(call.input) ?? null;
  if (command !== null && rule.argument === 'dangerouslyDisableSandbox') {
    return quantity === 'some' && command.unsandboxed;
  }
  if (command !== null) {
    return commandApplies(rule.argument, command.command, call, quantity);
  }
  if (tool.action !== undefined) {
    return tool.action(call.input)?.name === rule.argument;
  }
  const [first, ...others] = call.bases ?? [call.cwd];
  const matches = pathMatcher(rule.argument, quantity === 'all' ? [first] : [first, ...others], quantity);
  const matched = paths.map(({ path }) => matches(path));
  return matched.length > 0 && (quantity === 'all' ? matched.every(Boolean) : matched.some(Boolean));
}

/**
 * Which files a rule is about when a tool reads many below a directory; null: it is about all of them, or about something
 * else.
 */
export function filesToLeaveOut(
  { tool, argument }: PermissionRule,
  toolName: string,
  bases: readonly string[],
): ((path: string) => boolean) | null {
  const isAboutReading = tool === 'Read' || namePattern(tool).test(toolName);
  return argument === null || !isAboutReading ? null : pathMatcher(argument, bases, 'some');
}

function namePattern(name: string): RegExp {
  return new RegExp(`^${name.split('*').map(asLiteral).join('.*')}$`);
}

/** The command line is read as a shell would: `npm test && rm -rf .` is not covered by `npm test:*`. */
function commandApplies(argument: string, source: string, { cwd, env }: RuledCall, quantity: 'all' | 'some'): boolean {
  if (argument.startsWith('=')) {
    return source.trim() === argument.slice(1).trim();
  }
  const matches = commandPattern(argument);
  if (quantity === 'some' && matches(source.trim())) {
    return true;
  }
  const { steps, truncated } = readCommandLine(source, { cwd, env });
  const matched = steps.map((step) => {
    if (step.kind === 'command') {
      const [program] = step.argv;
      return program?.kind === 'known' && matches(step.argv.map(shown).join(' '));
    }
    return step.kind === 'write' && step.path.kind === 'known' && step.path.value === '/dev/null';
  });
  return quantity === 'all'
    ? truncated === null && matched.length > 0 && matched.every(Boolean)
    : matched.some(Boolean);
}

/** `npm test:*` is a prefix of whole words; `*` elsewhere stands for any text. */
function commandPattern(argument: string): (command: string) => boolean {
  const prefix = argument.endsWith(':*') ? argument.slice(0, -2) : null;
  if (prefix !== null && !prefix.includes('*')) {
    return (command) => command === prefix || command.startsWith(`${prefix} `);
  }
  const pattern = new RegExp(
    `^${(prefix ?? argument).split('*').map(asLiteral).join('.*')}${prefix === null ? '' : '(?: .*)?'}$`,
    's',
  );
  return (command) => pattern.test(command);
}

/** A glob over paths below directories, or absolute ones. A denial also sees where symbolic links lead. */
function pathMatcher(glob: string, bases: readonly string[], quantity: 'all' | 'some'): (path: string) => boolean {
  const compiled = compileGlob(isAbsolute(glob) ? glob.slice(1) : glob.replace(/^\.\//, ''));
  if (!compiled.ok) {
    return () => quantity === 'some';
  }
  // `.env` is meant wherever it lies, as in .gitignore.
  const bare = glob.includes('/') ? null : compileGlob(`**/${glob}`);
  const matchesName = (name: string) =>
    compiled.pattern.matches(name) || (bare?.ok === true && bare.pattern.matches(name));
  const places = isAbsolute(glob) ? ['/'] : bases.flatMap((base) => [...new Set([base, real(base)])]);
  const matches = (path: string) => places.some((base) => matchesName(relative(base, path).split(sep).join('/')));
  return (path) => (quantity === 'all' ? matches(path) && matches(real(path)) : matches(path) || matches(real(path)));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function asLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
