import type { Word } from '../../shell/simple-command.ts';
import type { ConfigureIntent, FetchIntent, Intent, RemoteIntent } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, parseOptions } from './parse-options.ts';
import { type Subcommand, type SubcommandGroup, unknownOptions } from './subcommand.ts';
import { known, textOf } from './words.ts';

const names = `global system local worktree f|file= blob= get get-all get-regexp get-urlmatch replace-all
  add unset unset-all rename-section remove-section l|list fixed-value e|edit get-color get-colorbool t|type= bool int
  bool-or-int bool-or-str path expiry-date z|null name-only includes show-origin show-scope show-names+ default= comment=+
  all+ regexp+ value=+ url=+ append+`;
/** Options end at the name of the variable: its value may begin with a hyphen. */
const options = optionTable(names, { stopsAtArgument: true });
/** Behind a subcommand they begin anew. */
const verbOptions = optionTable(names);
const verbs = /^(?:list|get|set|unset|rename-section|remove-section|edit|get-color|get-colorbool)$/;

const reading = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'get-color', 'get-colorbool', 'edit', 'blob'];

/** Whatever an editor that the line names makes of the file. */
const edited: Intent = {
  kind: 'unreadable',
  source: 'git config --edit',
  reason: 'what the editor makes of the file is not known',
  could: 'any setting',
  where: ['GIT_EDITOR', 'VISUAL', 'EDITOR'],
};

type Verb = 'set' | 'unset' | 'rename-section' | 'remove-section';

/** git-config(1), with options for verbs and, since git 2.46, with subcommands. */
export const config: Subcommand = {
  options,
  intents(given, call) {
    const isVerb = verbs.test(textOf(given.operands[0]) ?? '');
    const args = isVerb ? parseOptions(verbOptions, call.words) : given;
    if ('refused' in args) {
      return [];
    }
    if (args.has('edit') || textOf(args.operands[0]) === 'edit') {
      return [edited];
    }
    if (reading.some((name) => args.has(name))) {
      return [];
    }
    const [first = '', ...rest] = args.operands.map((word) => textOf(word) ?? word);
    const scope = scopeOf(args);
    const unknown = unknownOptions(args, call);
    const isRead = ['get', 'list', 'edit', 'get-color', 'get-colorbool'].includes(String(first));
    const verb = (['unset', 'rename-section', 'remove-section'] as const).find((name) => args.has(name));
    const isChange = verb !== undefined || args.has('unset-all') || (!isRead && rest.length > 0);
    const made = isChange ? changesBy(args, verb ?? null, scope ?? 'file') : [];
    const file = args.value('file');
    return scope === null && file !== undefined && isChange
      ? [...unknown, { kind: 'write-files', paths: [file], means: 'git config --file', sets: made }]
      : [...unknown, ...made];
  },
};

/** @param option the change that an option asks for, as before git 2.46 */
function changesBy(args: Arguments, option: Verb | null, scope: ConfigureIntent['scope']): readonly Intent[] {
  const words = args.operands;
  const first = textOf(words[0]);
  if (option !== null || args.has('unset-all')) {
    return changes(option ?? 'unset', words, scope);
  }
  if (first === 'set' || first === 'unset' || first === 'rename-section' || first === 'remove-section') {
    const changed = changes(first, words.slice(1), scope);
    return args.has('append') ? changed.map(added) : changed;
  }
  const set = changes('set', words, scope);
  return args.has('add') ? set.map(added) : set;
}

function added(intent: Intent): Intent {
  return intent.kind === 'configure' ? { ...intent, adds: true } : intent;
}

/** Null: a file that is no configuration of git's, such as .gitmodules. */
function scopeOf(args: Arguments): ConfigureIntent['scope'] | null {
  const file = args.value('file');
  if (file !== undefined) {
    const path = textOf(file);
    return path === null || /(?:^|\/)(?:\.?git)?config(?:\.worktree)?$/.test(path) ? 'file' : null;
  }
  return (['global', 'system', 'worktree'] as const).find((scope) => args.has(scope)) ?? 'local';
}

function changes(verb: Verb, words: readonly Word[], scope: ConfigureIntent['scope']): readonly Intent[] {
  const [key, value = null] = words;
  if (key === undefined) {
    return [];
  }
  if (verb === 'set' || verb === 'unset') {
    const onlyMatching = verb === 'unset' && value !== null;
    return [{ kind: 'configure', key, value: verb === 'set' ? value : null, onlyMatching, scope }];
  }
  const section = textOf(key);
  const remote = section === null ? null : /^remote\.(.+)$/.exec(section)?.[1];
  if (remote !== null && remote !== undefined) {
    const action = verb === 'rename-section' ? 'rename' : 'remove';
    return [{ kind: 'remote', action, name: known(remote), value, mirror: false }];
  }
  return [{ kind: 'configure', key: section === null ? key : known(`${section}.*`), value: null, scope }];
}

function remoteChange(
  action: RemoteIntent['action'],
  table: string,
  valueAt: (args: Arguments) => Word | null,
): Subcommand {
  return {
    options: optionTable(table),
    intents(args) {
      const [name] = args.operands;
      if (name === undefined) {
        return [];
      }
      const pushes = action === 'set-url' && args.has('push');
      const mirror = textOf(args.value('mirror'));
      const isMirror = action === 'add' && args.has('mirror');
      const mirrorsFetch = isMirror && mirror !== 'push';
      const change: RemoteIntent = {
        kind: 'remote',
        action: pushes ? 'set-push-url' : action,
        name,
        value: valueAt(args),
        mirror: isMirror && mirror !== 'fetch',
        mirrorsFetch,
      };
      if (action !== 'add' || !args.has('fetch')) {
        return [change];
      }
      const fetched = mirrorsFetch
        ? { ...update('git remote add --mirror', false), refspecs: [known('+refs/*:refs/*')] }
        : update('git remote add --fetch', false);
      return [change, { ...fetched, remote: name }];
    },
  };
}

function update(means: string, prunesOnly: boolean): FetchIntent {
  return {
    kind: 'fetch',
    remote: null,
    all: false,
    refspecs: [],
    refmap: [],
    force: false,
    prune: null,
    pruneTags: null,
    prunesOnly,
    means,
  };
}

const second = (args: Arguments) => args.operands[1] ?? null;
const removal = remoteChange('remove', '', () => null);

/** git-remote(1). */
export const remote: SubcommandGroup = {
  members: {
    add: remoteChange('add', 'f|fetch tags t|track= m|master= mirror=?', second),
    'set-url': remoteChange('set-url', 'push add delete', second),
    remove: removal,
    rm: removal,
    rename: remoteChange('rename', 'progress', second),
    prune: {
      options: optionTable('n|dry-run'),
      intents: (args) =>
        args.has('dry-run')
          ? []
          : args.operands.map((name) => ({ ...update('git remote prune', true), remote: name, prune: true })),
    },
    update: {
      options: optionTable('p|prune'),
      intents: (args) => [{ ...update('git remote update', false), all: true, prune: args.has('prune') || null }],
    },
  },
  otherwise: { options: optionTable('v|verbose'), intents: () => [] },
};
