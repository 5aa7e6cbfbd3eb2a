import type { Repository } from '../../git/repository.ts';
import { normalizedKey } from '../git-command/invocation.ts';
import { textOf } from '../git-command/words.ts';
import type { ConfigureIntent, RemoteIntent, TrackIntent } from '../intent.ts';
import type { Overlay } from './overlay.ts';

/** `git config`: what is set, added or removed. */
export function applySetting(
  { key: word, value: given, adds, onlyMatching, scope }: ConfigureIntent,
  overlay: Overlay,
): void {
  const [name, value] = [textOf(word), textOf(given)];
  const key = name === null ? null : normalizedKey(name);
  if (key === null || onlyMatching === true) {
    return;
  }
  if (given === null) {
    const isMeant = key.endsWith('.*') ? ofSection(key.slice(0, -1)) : (other: string) => other === key;
    overlay.removeSettings({ isMeant, scope: scope === 'this call' || scope === 'file' ? 'local' : scope });
  } else if (value !== null && adds === true) {
    overlay.settings.push({ key, value, scope: 'local' });
  } else if (value !== null) {
    overlay.replaceSetting(key, value);
  }
}

/** git-config(1): a subsection is a section of its own. @param prefix with a dot at its end */
function ofSection(prefix: string): (key: string) => boolean {
  return (key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.');
}

/** `git remote add`, `git remote set-url`: pushes to that name go there. */
export async function applyRemote(intent: RemoteIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const [name, value] = [textOf(intent.name), textOf(intent.value)];
  if (name === null) {
    return;
  }
  const set = (key: string, to: string) =>
    overlay.settings.push({ key: `remote.${name}.${key}`, value: to, scope: 'local' });
  const adds = intent.action === 'add';
  if (adds) {
    if ((await repository.config()).subsections('remote').includes(name)) {
      // git refuses.
      return;
    }
    overlay.shared.remotes.add(name);
  }
  if (value !== null && (adds || intent.action === 'set-url')) {
    set('url', value);
  }
  if (intent.mirrorsFetch === true) {
    set('fetch', '+refs/*:refs/*');
  }
  if (intent.mirror) {
    set('mirror', 'true');
  }
}

/** `git branch --set-upstream-to`, `--unset-upstream` */
export async function applyTrack(intent: TrackIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const head = await repository.head();
  const branch = textOf(intent.branch) ?? (head.kind === 'branch' ? head.branch : null);
  if (branch !== null && intent.upstream === null) {
    const own = ['remote', 'merge'].map((name) => `branch.${branch}.${name}`);
    return overlay.removeSettings({ isMeant: (key) => own.includes(key), scope: 'local' });
  }
  const upstream = textOf(intent.upstream)?.replace(/^refs\/(?:remotes|heads)\//, '') ?? '';
  const remotes = (await repository.config()).subsections('remote');
  const remote = remotes.find((name) => upstream.startsWith(`${name}/`));
  // git does not make a branch its own upstream.
  if (branch === null || upstream === '' || upstream === branch) {
    return;
  }
  const merge = remote === undefined ? upstream : upstream.slice(remote.length + 1);
  overlay.replaceSetting(`branch.${branch}.remote`, remote ?? '.');
  overlay.replaceSetting(`branch.${branch}.merge`, `refs/heads/${merge}`);
}
