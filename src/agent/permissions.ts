import type { PermissionSettings } from '../config/agent-settings.ts';
import type { Verdict } from '../config/rules.ts';
import { contains } from '../tools/place.ts';
import { effectOf } from '../tools/tool.ts';
import type { PermissionMode, PermissionPort } from '../ui/permission.ts';
import { reasonToGuard } from './guarded-path.ts';
import {
  filesToLeaveOut,
  type PermissionRule,
  parsePermissionRule,
  type RuledCall,
  ruleApplies,
} from './permission-rule.ts';

/** For sessions that nobody watches. */
export function nobodyToPermit(reason: string): PermissionPort {
  return { ask: () => Promise.resolve({ kind: 'nobody', reason }) };
}

/** What one stage says of a call; `verdict` null: nothing. */
export interface Opinion {
  readonly verdict: Verdict | null;
  /** The rule's text, or the mode's name. */
  readonly rule: string;
  readonly message: string;
}

const noOpinion: Opinion = { verdict: null, rule: '', message: '' };

/**
 * Rules of the configuration, what a person has allowed for the session, and the mode, which decides where no rule does:
 * `default`: reading is free, changes are asked about. `accept-edits`: file edits are free, too. `plan`: nothing is
 * changed. `bypass`: nothing is asked.
 */
export class Permissions {
  #mode: PermissionMode;
  readonly #rules: Readonly<Record<keyof PermissionSettings, readonly PermissionRule[]>>;
  readonly #remembered: PermissionRule[] = [];
  readonly #hooks: readonly string[];
  readonly #bases: readonly [string, ...string[]];

  /**
   * @param bases see {@link RuledCall.bases}: the directory of the session, and the work tree
   * @param hooks directories of the work tree in which git looks for hooks, absolute
   */
  constructor(
    mode: PermissionMode,
    { allow, ask, deny }: PermissionSettings,
    bases: readonly [string, ...string[]],
    hooks: readonly string[] = [],
  ) {
    this.#mode = mode;
    this.#bases = bases;
    this.#hooks = hooks;
    this.#rules = {
      allow: allow.map(parsePermissionRule),
      ask: ask.map(parsePermissionRule),
      deny: deny.map(parsePermissionRule),
    };
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  /** Holds from the next tool call on. */
  changeMode(mode: PermissionMode): void {
    this.#mode = mode;
  }

  /** @param rule as in the configuration: `Bash(npm test:*)` */
  remember(rule: string): void {
    this.#remembered.push(parsePermissionRule(rule));
  }

  /** deny > ask > allow, wherever the rules stand. */
  byRules(call: RuledCall): Opinion {
    const find = (rules: readonly PermissionRule[], quantity: 'all' | 'some') =>
      rules.find((rule) => ruleApplies(rule, { ...call, bases: this.#bases }, quantity));
    const denial = find(this.#rules.deny, 'some');
    if (denial !== undefined) {
      return opinion('deny', denial, `The configuration forbids it: ${denial.source}.`);
    }
    const question = find(this.#rules.ask, 'some');
    if (question !== undefined) {
      return opinion('ask', question, `The configuration wants a person to confirm it: ${question.source}.`);
    }
    const allowance = find([...this.#rules.allow, ...this.#remembered], 'all');
    return allowance === undefined ? noOpinion : opinion('allow', allowance, '');
  }

  /** May a tool read this file, among others below a directory? Undefined: no rule forbids one, or wants to be asked. */
  readingOf(tool: string): ((path: string) => boolean) | undefined {
    const rules = [...this.#rules.deny, ...this.#rules.ask];
    const leftOut = rules.flatMap((rule) => filesToLeaveOut(rule, tool, this.#bases) ?? []);
    return leftOut.length === 0 ? undefined : (path) => !leftOut.some((matches) => matches(path));
  }

  /** What the mode says where no rule decides; `ask` with `isDefault` is answered by any allowance. */
  byMode(call: RuledCall, roots: readonly string[]): Opinion & { readonly isDefault: boolean } {
    const { tool } = call;
    const writes = tool.touches(call.input, call.cwd).filter(({ access }) => access === 'write');
    const [message] = writes.flatMap((access) => reasonToGuard(access, this.#hooks, call.env) ?? []);
    if (message !== undefined) {
      return { verdict: 'ask', rule: 'guarded-file', message, isDefault: false };
    }
    const say = (verdict: Verdict, message: string) => ({ verdict, rule: this.mode, message, isDefault: true });
    if (effectOf(tool, call.input) !== 'changes' || judgesItself(call)) {
      return say('allow', '');
    }
    switch (this.mode) {
      case 'plan':
        return {
          ...say('deny', 'The session is in plan mode: nothing is changed. Say what you would do.'),
          isDefault: false,
        };
      case 'bypass':
        return say('allow', '');
      case 'accept-edits': {
        const isEdit = writes.length > 0 && tool.shellCommand === undefined;
        const inside = writes.every(({ path }) => roots.some((root) => contains(root, path)));
        return isEdit && inside ? say('allow', '') : say('ask', `${tool.name} may change something.`);
      }
      case 'default':
        return say('ask', `${tool.name} may change something.`);
    }
  }
}

function opinion(verdict: Verdict, rule: PermissionRule, message: string): Opinion {
  return { verdict, rule: rule.source, message };
}

/** Every call that a subagent makes is judged by itself; asking a task how it goes changes nothing. */
function judgesItself({ tool, input }: RuledCall): boolean {
  return (
    tool.name === 'Agent' || tool.name === 'TaskOutput' || (tool.name === 'Task' && tool.shellCommand?.(input) === null)
  );
}

/** Programs that run what follows them, or destroy it: a word more is another matter. */
const neverByPrefix =
  /^(?:sudo|doas|env|xargs|nohup|nice|time|timeout|command|exec|eval|source|find|(?:ba|da|z|fi|k)?sh|rm|mv|cp|dd|ln|chmod|chown|kill|pkill|curl|wget|ssh|scp|rsync)$/;

/** What "yes, for this session" allows: this program with this subcommand, this very command line, this tool or action. */
export function rememberedRule({ tool, input }: RuledCall): string {
  const command = tool.shellCommand?.(input)?.command.trim();
  if (command === undefined) {
    const action = tool.action?.(input);
    return action === null || action === undefined ? tool.name : `${tool.name}(${action.name})`;
  }
  const [program = '', subcommand = ''] = command.split(/\s+/);
  const isSimple = !/[\n;&|<>$`(){}]/.test(command);
  const hasSubcommand = subcommand === '' || /^[a-z][\w:-]*$/i.test(subcommand);
  return isSimple && hasSubcommand && /^[\w./+-]+$/.test(program) && !neverByPrefix.test(program)
    ? `${tool.name}(${[program, subcommand].filter(Boolean).join(' ')}:*)`
    : `${tool.name}(=${command})`;
}
