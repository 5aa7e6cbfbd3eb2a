import { resolve } from 'node:path';
import type { Policy } from '../../../config/policy.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import type { SkippingVariable } from '../../../skipping-variables.ts';
import { hooksDirectoryFor, hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { type Finding, findings } from '../../finding.ts';
import { normalizedKey, type Setting } from '../../git-command/invocation.ts';
import { known, shown, textOf } from '../../git-command/words.ts';
import type { ConfigureIntent, SkipHooksIntent } from '../../intent.ts';
import { isInclude } from '../../written-includes.ts';
import { skipsHooksOfMerges, takesHooksAway, withoutPassing } from './hooks-taken-away.ts';

/** `--no-verify` and `commit -n`. */
export function judgeSkippedHooks(intent: SkipHooksIntent, policy: Policy): readonly Finding[] {
  return findings('skip-checks', policy, {
    message: `${intent.means} skips ${intent.skipped}, so nothing checks what it is there for.`,
    suggestion: intent.suggestion,
  });
}

/** Subcommands during which hooks run: githooks(5). */
const runningHooks = new Set([
  'commit',
  'merge',
  'pull',
  'push',
  'rebase',
  'am',
  'cherry-pick',
  'revert',
  'checkout',
  'switch',
  'hook',
]);

export function runsHooks(subcommand: string): boolean {
  return runningHooks.has(subcommand);
}

/** May a setting send git to other hooks, or to none? `core.hooksPath`, and hooks by configuration. */
function concernsHooks(key: string): boolean {
  return key === 'core.hookspath' || key === 'core.*' || key.startsWith('hook.');
}

/** A call during which hooks may run. */
export interface HookedCall {
  readonly subcommand: string;
  /**
   * The same call without settings and variables of its own, to be pasted.
   *
   * @param from where git is to stand; as in the call where it is not given
   */
  plain(from?: string): string;
}

/** How `core.hooksPath` is named; an empty one is no directory. */
function hooksAt(path: string | null): string {
  return path === '' ? 'none' : (path ?? 'the default directory');
}

/**
 * A hooks directory, or hooks by configuration, for this call alone.
 *
 * @param repository null where it can't be known
 */
export async function judgeHookSettings(
  settings: readonly Setting[],
  { subcommand, plain }: HookedCall,
  policy: Policy,
  repository: Repository | null,
): Promise<readonly Finding[]> {
  const passed = settings.find(({ key, value }) => skipsHooksOfMerges(normalizedKey(textOf(key) ?? ''), value));
  if (passed !== undefined && /^(?:merge|pull)$/.test(subcommand)) {
    return findings('skip-checks', policy, {
      message: `${passed.means} ${shown(passed.key)} has git ${subcommand} skip the hooks that check it.`,
      suggestion: plain(),
    });
  }
  const concerned = settings.filter(({ key }) => concernsHooks(normalizedKey(textOf(key) ?? '')));
  if (concerned.length === 0 || !runsHooks(subcommand)) {
    return [];
  }
  const usual = repository === null ? null : withoutPassing(await repository.config());
  const leadsAlike = (value: Word) => {
    const path = textOf(value);
    const before = usual?.get('core.hookspath') ?? null;
    return (
      path !== null &&
      repository !== null &&
      hooksDirectoryFor(path, repository) === hooksDirectoryFor(before, repository)
    );
  };
  const found = concerned.find((setting) => {
    const key = normalizedKey(textOf(setting.key) ?? '');
    // Without a value it is true.
    const value = setting.value ?? known('true');
    return takesHooksAway(key, { value, adds: true }, usual) && !(key === 'core.hookspath' && leadsAlike(value));
  });
  return found === undefined
    ? []
    : findings('skip-checks', policy, {
        message: `${found.means} ${shown(found.key)} sends git ${subcommand} to other hooks than the repository's, so its checks don't run.`,
        suggestion: plain(),
      });
}

/** Where settings come from: other files for this call alone. */
const configurationSources = [
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'HOME',
  'XDG_CONFIG_HOME',
  // A relative `core.hooksPath` starts at the top of the work tree.
  'GIT_WORK_TREE',
];

/** Does the call read other configuration files than git usually would? */
export function readsOtherFiles(settings: readonly Setting[], env: ReadonlyMap<string, Word | null>): boolean {
  return (
    settings.some(({ key }) => isInclude(key)) || (env.size > 0 && configurationSources.some((name) => env.has(name)))
  );
}

/** A repository without what a call names and sets. */
export interface UsualRepository {
  readonly repository: Repository;
  /** From where git finds it so; undefined: from where the call stands. */
  readonly from: string | undefined;
}

/**
 * Configuration files and a work tree by which git runs other hooks than without them. A git directory alone makes the
 * directory at hand the work tree: git(1) "--git-dir".
 *
 * @param usual null where git finds it only by what the call names
 */
export async function judgeOtherPlaces(
  usual: UsualRepository | null,
  changed: Repository,
  { subcommand, plain }: HookedCall,
  policy: Policy,
): Promise<readonly Finding[]> {
  if (!runsHooks(subcommand)) {
    return [];
  }
  const before = (await usual?.repository.config())?.get('core.hookspath') ?? null;
  const after = (await changed.config()).get('core.hookspath');
  const suggestion = plain(usual?.from);
  if (before !== after) {
    return findings('skip-checks', policy, {
      message: `The configuration files of this call send git ${subcommand} to other hooks (${hooksAt(after)}) than the repository's (${hooksAt(before)}).`,
      suggestion,
    });
  }
  // A bare repository has the work tree that it is given, and no other.
  if (usual === null || usual.repository.workTree === null) {
    return [];
  }
  // A relative path starts at the top of the work tree, and that may be another one.
  const places = [await hooksDirectoryOf(usual.repository), await hooksDirectoryOf(changed)];
  return findings(
    'skip-checks',
    policy,
    places[0] === places[1]
      ? null
      : {
          message: `This call makes ${changed.workTree ?? changed.gitDir} the work tree, so git ${subcommand} looks for hooks in ${places[1]}, not in ${places[0]}.`,
          suggestion,
        },
  );
}

/**
 * A hooks directory for good; none of its business where it is the one that is in use.
 *
 * @param repository null where it can't be known
 */
export async function judgeHookConfiguration(
  intent: ConfigureIntent,
  repository: Repository | null,
  policy: Policy,
): Promise<readonly Finding[]> {
  const key = normalizedKey(textOf(intent.key) ?? '');
  if (skipsHooksOfMerges(key, intent.value)) {
    return findings('skip-checks', policy, {
      message: `Setting ${shown(intent.key)} to ${shown(known(textOf(intent.value) ?? ''))} has merges skip the hooks that check them.`,
      suggestion: lookedUp(shown(intent.key)),
    });
  }
  const isSame = key === 'core.hookspath' && repository !== null && (await leadsToSameHooks(intent, repository));
  const { value, adds = false } = intent;
  const isTaken =
    concernsHooks(key) && takesHooksAway(key, { value, adds }, repository === null ? null : await repository.config());
  return isTaken && !isSame
    ? findings('skip-checks', policy, {
        message: `${intent.value === null ? 'Removing' : 'Setting'} ${shown(intent.key)} sends git to other hooks than those that check this repository.`,
        suggestion: lookedUp(shown(intent.key)),
      })
    : [];
}

async function leadsToSameHooks({ value, scope }: ConfigureIntent, repository: Repository): Promise<boolean> {
  const path = textOf(value);
  const isThisRepository = scope === 'local' || scope === 'worktree';
  const { entries } = await repository.config();
  if (value === null) {
    // Which one a file is that is named, by an option or by GIT_CONFIG, is not looked up.
    const scopes: readonly string[] = [scope, 'unknown', 'command'];
    return !entries.some(
      (entry) => entry.key === 'core.hookspath' && (scope === 'file' || scopes.includes(entry.scope)),
    );
  }
  const isSetSo = entries.some(
    (entry) => entry.key === 'core.hookspath' && entry.value === path && (scope === 'file' || scope === entry.scope),
  );
  return path !== null && (isSetSo || (isThisRepository && (await isInUse(path, repository))));
}

/** Does a value of `core.hooksPath` lead to where git looks for hooks anyway? */
async function isInUse(path: string, repository: Repository): Promise<boolean> {
  return hooksDirectoryFor(path, repository) === (await hooksDirectoryOf(repository));
}

/** Configuration files that this very line has written, and that the call reads: what they set is not there to be read yet. */
export function judgeWrittenFiles(
  settings: readonly Setting[],
  env: ReadonlyMap<string, Word | null>,
  written: ReadonlyMap<string, string | null>,
  { cwd, plain, policy }: { readonly cwd: string; readonly policy: Policy } & Pick<HookedCall, 'plain'>,
): readonly Finding[] {
  const named = configurationSources.flatMap((name) => {
    const value = textOf(env.get(name));
    const below = configurationBelow[name] ?? '';
    return value === null ? [] : [`${value}${below}`];
  });
  const included = settings.flatMap(({ key, value }) => (isInclude(key) ? (textOf(value) ?? []) : []));
  const isOpen = (file: string) => opensMore.test(written.get(resolve(cwd, file)) ?? '[?]');
  const given = [...named, ...included].find((file) => written.has(resolve(cwd, file)) && isOpen(file));
  if (given === undefined) {
    return [];
  }
  const path = resolve(cwd, given);
  const text = written.get(path) ?? null;
  return text !== null && /hookspath/i.test(text)
    ? findings('skip-checks', policy, {
        message: `${path}, which this command line writes, sends git to other hooks than those that check this repository.`,
        suggestion: plain(),
      })
    : findings('unreadable-command', policy, {
        message: `git would read settings from ${path}, which this command line writes itself; they could name any command.`,
        suggestion: plain(),
      });
}

/** A section by which git may start something, or send something elsewhere. */
const opensMore =
  /^\s*\[(?!(?:user|author|committer|advice|color|column|commit|i18n|init|log|safe|status|tag)\b)|templatedir/im;

/** Where the file lies below the directory that a variable names. */
const configurationBelow: Readonly<Record<string, string>> = { HOME: '/.gitconfig', XDG_CONFIG_HOME: '/git/config' };

const isZero = (value: string) => /^(?:0|false|no|off)$/i.test(value);
const isSet = (value: string) => value !== '';
const isSwitchedOn = (value: string) => isSet(value) && !isZero(value);

/** Does this value of a variable switch checks off? */
const skips: Readonly<Record<SkippingVariable, (value: string) => boolean>> = {
  HUSKY: isZero,
  HUSKY_SKIP_HOOKS: isSwitchedOn,
  LEFTHOOK: isZero,
  LEFTHOOK_EXCLUDE: isSet,
  // Its hooks run this in the place of lefthook.
  LEFTHOOK_BIN: (value) => isSet(value) && !/(?:^|\/)lefthook$/.test(value),
  LEFTHOOK_CONFIG: isSet,
  SKIP: isSet,
  PRE_COMMIT_ALLOW_NO_CONFIG: isSet,
  SKIP_SIMPLE_GIT_HOOKS: (value) => value === '1',
  OVERCOMMIT_DISABLE: isSwitchedOn,
  PREK_SKIP: isSet,
  GITHOOKS_DISABLE: isSwitchedOn,
  OXIDE_GUARD: isZero,
  OXIDE_GUARD_CONFIRM: isSet,
};

/** Variables that the command line sets for a git command that runs hooks; an unknown value may be any. */
export function judgeEnvironment(
  env: ReadonlyMap<string, Word | null>,
  { subcommand, plain }: HookedCall,
  policy: Policy,
): readonly Finding[] {
  if (env.size === 0 || !runsHooks(subcommand)) {
    return [];
  }
  const [found] =
    Object.entries(skips).find(([name, skipping]) => {
      const word = env.get(name);
      return word !== undefined && word !== null && (valuesOf(word, name)?.some(skipping) ?? true);
    }) ?? [];
  return found === undefined
    ? []
    : findings('skip-checks', policy, {
        message: `${found}=${shown(env.get(found) ?? { kind: 'known', value: '' })} switches off checks that run during git ${subcommand}.`,
        suggestion: plain(),
        variable: found,
      });
}

/** Its values, where they are known; `HUSKY=${HUSKY:-1}` leaves what was set as it was. */
function valuesOf(word: Word, name: string): readonly string[] | undefined {
  if (word.kind === 'known') {
    return [word.value];
  }
  const isOwn = word.ownValueOf === name && word.prefix === '' && word.suffix === '';
  return word.oneOf ?? (isOwn ? word.mayBe : undefined);
}

/** How a setting is looked at, or (`core.*`) those of a section. */
function lookedUp(key: string): string {
  return key.endsWith('.*')
    ? `git config --get-regexp ${quoteWord(`^${key.slice(0, -2)}\\.`)}`
    : `git config --get ${quoteWord(key)}`;
}
