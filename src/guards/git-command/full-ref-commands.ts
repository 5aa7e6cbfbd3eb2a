import { shortBranchName } from '../../git/refs/refspec.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { DeleteRefIntent, Intent, MoveRefIntent, RefName } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { quotedFields } from './quoted-fields.ts';
import { destroyed } from './recovery-commands.ts';
import { type Subcommand, type SubcommandCall, unknownOptions } from './subcommand.ts';
import { known, textOf } from './words.ts';

/** git-update-ref(1): the plumbing below all of these. */
export const updateRef: Subcommand = {
  options: optionTable('m= d no-deref stdin z create-reflog 0|batch-updates+'),
  intents(args, call) {
    if (args.has('stdin')) {
      return fromStandardInput(call, args.has('z'));
    }
    const [ref, value] = args.operands;
    if (ref === undefined) {
      return unknownOptions(args, call);
    }
    const intent = args.has('d')
      ? deletedFully(ref, 'git update-ref -d')
      : updatedFully(ref, value ?? null, 'git update-ref');
    return [withoutDereference(args, intent)];
  },
};

/** `--no-deref` among the options: what a symbolic ref stands for stays as it is. */
export function withoutDereference(args: Arguments, intent: Intent): Intent {
  return isNegated(args, 'deref') ? byItself(intent) : intent;
}

/**
 * Commands of `update-ref --stdin`: `update SP <ref> SP <new> [SP <old>]`, `delete SP <ref>`, `symref-update SP <ref> SP
 * <target>`, and harmless ones. With `-z` each argument after the ref ends with NUL, and a command with the last of them.
 */
function fromStandardInput({ input }: SubcommandCall, isZero: boolean): readonly Intent[] {
  if (input?.kind !== 'text') {
    const reason = input?.kind === 'unknown' ? input.reason : 'its standard input is not part of the command line';
    return [{ kind: 'unreadable', source: 'git update-ref --stdin', reason, could: 'the deletion of any ref' }];
  }
  const fields = input.text.split('\0');
  const lines = isZero ? fields.map((field, at) => [...field.split(' '), fields[at + 1] ?? '']) : undefined;
  const means = 'git update-ref --stdin';
  const intents: Intent[] = [];
  let begun = 0;
  for (const [verb, ref = '', value = ''] of lines ?? input.text.split('\n').map(quotedFields)) {
    if (verb === 'abort') {
      intents.splice(begun);
    }
    if (verb === 'start' || verb === 'commit' || verb === 'abort') {
      begun = intents.length;
    } else if (ref !== '') {
      intents.push(...changedRef(verb, ref, value, means));
    }
  }
  return deletedTogether(intents);
}

/** git-update-ref(1): all of it is done at once. Each of two refs may keep what the other one had. */
function deletedTogether(intents: readonly Intent[]): readonly Intent[] {
  const isDeletion = (intent: Intent): intent is DeleteRefIntent =>
    intent.kind === 'delete-ref' && intent.dereferences === true;
  const deletions = intents.filter(isDeletion);
  const [first] = deletions;
  return first === undefined
    ? intents
    : [...intents.filter((intent) => !isDeletion(intent)), { ...first, refs: deletions.flatMap(({ refs }) => refs) }];
}

function changedRef(verb: string | undefined, ref: string, value: string, means: string): readonly Intent[] {
  switch (verb) {
    case 'delete':
      return [deletedFully(known(ref), means)];
    case 'symref-delete':
      return [byItself(deletedFully(known(ref), means))];
    case 'update':
      return [updatedFully(known(ref), known(value), means)];
    case 'symref-create':
    case 'symref-update':
      return [madeSymbolic(known(ref), value, means)];
    default:
      return [];
  }
}

/** An empty or zero object name deletes: git-update-ref(1). */
export function updatedFully(ref: Word, value: Word | null, means: string): Intent {
  return /^0*$/.test(textOf(value) ?? '-') ? deletedFully(ref, means) : movedFully(ref, value, means);
}

/** A ref by its full name goes; the stash with all its entries. */
export function deletedFully(ref: Word, means: string): Intent {
  return textOf(ref) === 'refs/stash'
    ? { kind: 'discard', what: { kind: 'stash', entry: 'all' }, means }
    : { kind: 'delete-ref', refs: [fullName(ref)], dereferences: true, means };
}

/** `--no-deref` */
function byItself(intent: Intent): Intent {
  switch (intent.kind) {
    case 'move-ref':
      return { ...intent, itself: true };
    case 'delete-ref':
      return intent.refs.some(({ name }) => textOf(name) === 'HEAD')
        ? destroyed(
            `${intent.means} --no-deref HEAD`,
            'HEAD itself, without which git finds no repository',
            'git switch --detach',
          )
        : { ...intent, dereferences: false };
    default:
      return intent;
  }
}

/** @param target full name of a ref */
function madeSymbolic(ref: Word, target: string, means: string): Intent {
  return textOf(ref) === 'HEAD'
    ? { kind: 'switch', to: known(shortBranchName(target)), create: false, detach: false, mayBeUnborn: true }
    : { ...movedFully(ref, known(target), means), symbolic: true };
}

/** git-symbolic-ref(1): another way to switch branches, without touching files. */
export const symbolicRef: Subcommand = {
  options: optionTable('q|quiet d|delete short recurse m='),
  intents(args) {
    const [name, target] = args.operands;
    const value = textOf(target);
    if (name === undefined || value === null) {
      return [];
    }
    return [madeSymbolic(name, value, 'git symbolic-ref')];
  },
};

/** A ref by its full name, or HEAD. */
export function movedFully(ref: Word, to: Word | null, means: string): MoveRefIntent {
  const isHead = textOf(ref) === 'HEAD';
  return {
    kind: 'move-ref',
    ref: isHead ? null : fullName(ref),
    to,
    movesAlone: true,
    means: `${means} ${textOf(ref) ?? ''}`.trimEnd(),
  };
}

/** A ref as it is written: `refs/heads/main`. */
export function fullName(name: Word): RefName {
  return { namespace: '', name };
}
