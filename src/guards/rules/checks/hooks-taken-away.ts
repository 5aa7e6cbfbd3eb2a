import { configurationOf, type GitConfiguration } from '../../../git/settings/configuration.ts';
import { parseBoolean } from '../../../git/settings/configuration-entry.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textOf } from '../../git-command/words.ts';

/** What becomes of a setting. */
export interface Change {
  /** Null: it is removed. */
  readonly value: Word | null;
  /** Beside the values that are there. */
  readonly adds: boolean;
}

/**
 * Does a setting take a hook away, or put another in its place? Hooks by configuration (git 2.54, git-hook(1)) run beside
 * those of the directory: one more, or how many run at once, takes nothing away.
 *
 * @param key normalized
 * @param config without the change; null where it can't be known
 */
export function takesHooksAway(key: string, { value, adds }: Change, config: GitConfiguration | null): boolean {
  if (key === 'core.hookspath' || key === 'core.*') {
    return true;
  }
  const [, name, variable] = /^hook\.(.+)\.([^.]+)$/s.exec(key) ?? [];
  const text = textOf(value);
  const commands = config?.subsections('hook').filter((each) => config.get(`hook.${each}.command`) !== null) ?? [];
  const isThere = config === null || (name !== undefined && commands.includes(name));
  switch (variable) {
    case '*':
      return isThere;
    case 'command':
      return isThere && (text === null || text !== config?.get(key));
    case 'event':
      return isThere && (text === null || text === '' || !(adds || config?.getAll(key).every((each) => each === text)));
    case 'enabled':
      // Of one hook, or of all for an event.
      return (config === null || commands.length > 0) && value !== null && (text === null || !parseBoolean(text));
    default:
      return false;
  }
}

/**
 * `branch.<name>.mergeOptions`: every merge into that branch is given them, `--no-verify` among them. git-config(1)
 *
 * @param key normalized
 */
export function skipsHooksOfMerges(key: string, value: Word | null): boolean {
  return /^branch\..+\.mergeoptions$/s.test(key) && /(?:^|\s)["']?--no-verify["']?(?=\s|$)/.test(textOf(value) ?? '');
}

/** What is configured besides what a call brings with it. */
export function withoutPassing({ entries }: GitConfiguration): GitConfiguration {
  return configurationOf(entries.filter(({ scope }) => scope !== 'command'));
}
