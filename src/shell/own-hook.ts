import { posix } from 'node:path';
import { quoteWord } from '../quote.ts';
import type { Shell } from './call.ts';

/** What begins a script that the guard installs as a hook. */
const mark = '\n# oxide-guard: the ';

/**
 * What a hook of the guard's own starts that it does not know: the hook that was there before. Null where the script is
 * none of the guard's, or is not as the guard has written it.
 *
 * @param path absolute
 */
export function ownHookScript(text: string, path: string, { overlay }: Shell): string | null {
  if (!text.includes(mark) || overlay.wasWritten(path)) {
    return null;
  }
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(text).digest('hex');
  const isInstalled = manifestsFor(path).some(
    (manifest) =>
      !overlay.wasWritten(manifest) &&
      overlay.texts(manifest).some((file) => file.kind === 'text' && file.text.includes(`"${digest}"`)),
  );
  const kept = /^kept=(?:'([^']*)'|(\S*))$/m.exec(text);
  const name = kept?.[1] ?? kept?.[2];
  if (!isInstalled || name === undefined) {
    return null;
  }
  return name === '' ? ':' : `${quoteWord(posix.join(posix.dirname(path), name))} "$@"`;
}

/** Where the guard may have recorded what it has installed: beside the usual hooks, or in the git directory above. */
function manifestsFor(path: string): readonly string[] {
  const found = [posix.join(posix.dirname(path), '../oxide-guard/hooks.json')];
  for (let directory = posix.dirname(path); directory !== '/'; directory = posix.dirname(directory)) {
    found.push(posix.join(directory, '.git/oxide-guard/hooks.json'));
  }
  return found;
}
