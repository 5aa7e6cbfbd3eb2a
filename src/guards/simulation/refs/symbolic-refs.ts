import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { known, textOf } from '../../git-command/words.ts';
import type { DeleteRefIntent, Intent, MoveRefIntent, RefName, SwitchIntent } from '../../intent.ts';

/**
 * The same intent for the refs that really move: what git is told to do to a symbolic branch, it does to the branch that
 * this stands for (git-update-ref(1), git-symbolic-ref(1)). What takes an object's place is a ref by the object's full
 * name, whatever it is called on the line (git-replace(1)).
 */
export async function throughSymbolicRefs(intent: Intent, repository: Repository): Promise<Intent> {
  switch (intent.kind) {
    case 'move-ref':
      return throughMoved(intent, repository);
    case 'delete-ref':
      return throughDeleted(intent, repository);
    case 'switch':
      return throughSwitched(intent, repository);
    default:
      return intent;
  }
}

async function throughMoved(intent: MoveRefIntent, repository: Repository): Promise<Intent> {
  const { ref, itself, symbolic } = intent;
  const isByItself = ref === null || itself === true || symbolic === true;
  const target = isByItself ? null : ((await replacementOf(ref, repository)) ?? (await targetOf(ref, repository)));
  return target === null ? intent : { ...intent, ref: target };
}

async function throughDeleted(intent: DeleteRefIntent, repository: Repository): Promise<Intent> {
  const target = async (ref: RefName) => (intent.dereferences === true ? targetOf(ref, repository) : null);
  const refs = intent.refs.map(async (ref) => (await replacementOf(ref, repository)) ?? (await target(ref)) ?? ref);
  return { ...intent, refs: await Promise.all(refs) };
}

async function throughSwitched(intent: SwitchIntent, repository: Repository): Promise<Intent> {
  const isBranch = intent.to !== null && !intent.detach && intent.orphan !== true;
  const target = isBranch ? await targetOf({ namespace: 'refs/heads/', name: intent.to }, repository) : null;
  const name = target === null ? null : textOf(target.name);
  return name?.startsWith('refs/heads/') === true ? { ...intent, to: known(shortBranchName(name)) } : intent;
}

/** Null: it is none, or of an object that is not there. */
async function replacementOf({ namespace, name }: RefName, repository: Repository): Promise<RefName | null> {
  const text = namespace === 'refs/replace/' ? textOf(name) : null;
  const replaced = text === null ? null : await repository.resolve(text);
  return replaced === null ? null : { namespace: '', name: known(namespace + replaced) };
}

/** Null: it is no symbolic ref. */
async function targetOf({ namespace, name }: RefName, repository: Repository): Promise<RefName | null> {
  const text = textOf(name);
  const full = text === null ? '' : namespace + text;
  const target = /^(?:refs|worktrees|main-worktree)\//.test(full) ? await repository.refTarget(full) : full;
  return target === full ? null : { namespace: '', name: known(target) };
}
