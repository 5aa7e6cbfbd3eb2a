import { readRefFile } from '../../../git/refs/ref-files.ts';
import type { Step } from '../../../shell/simple-command.ts';
import type { GitDirectories } from '../../files/git-directories.ts';
import { shown } from '../../git-command/words.ts';
import type { SettledQuestion } from './settled-questions.ts';

/** A remote's HEAD, by what git-symbolic-ref(1) and git-rev-parse(1) take. */
const remoteHead = /^(?:refs\/)?remotes\/([\w.-]+)\/HEAD$|^([\w.-]+)\/HEAD$/;

/** What may make another branch a remote's default one here: git-remote(1) "set-head". */
const changing =
  /\bset-head\b|\bremote (?:add|rename|rm|remove)\b|\bsymbolic-ref (?:-\S+ )*refs\/remotes\/\S+ \S|\bupdate-ref\b/;

/**
 * What git prints where it is asked for the default branch of a remote, as it is remembered in `refs/remotes/*\/HEAD`; null
 * where that is another question, or the file does not tell.
 */
export function defaultBranchAnswer(
  { question: [subcommand, ...rest], before }: SettledQuestion,
  directories: GitDirectories,
): string | null {
  const [operand = '', ...others] = rest.filter((word) => !word.startsWith('-'));
  const options = rest.filter((word) => word.startsWith('-') && word !== '-q' && word !== '--quiet').join(' ');
  const form = forms.get(`${subcommand} ${options}`.trimEnd());
  const [, full, short = full] = remoteHead.exec(operand) ?? [];
  const isWhole = subcommand !== 'symbolic-ref' || operand.startsWith('refs/');
  if (form === undefined || short === undefined || !isWhole || others.length > 0 || before.some(mayChange)) {
    return null;
  }
  const prefix = `refs/remotes/${short}/`;
  const head = readRefFile(directories, `${prefix}HEAD`);
  if (head.kind !== 'symref' || !head.target.startsWith(prefix)) {
    return null;
  }
  const name = head.target.slice('refs/remotes/'.length);
  const isAmbiguous = ['refs/heads/', 'refs/tags/'].some(
    (kind) => readRefFile(directories, kind + name).kind !== 'absent',
  );
  return form === 'full' ? `${head.target}\n` : isAmbiguous ? null : `${name}\n`;
}

const forms: ReadonlyMap<string, 'full' | 'short'> = new Map([
  ['symbolic-ref', 'full'],
  ['symbolic-ref --short', 'short'],
  ['rev-parse --abbrev-ref', 'short'],
  ['rev-parse --symbolic-full-name', 'full'],
]);

function mayChange(step: Step): boolean {
  return step.kind !== 'write' && changing.test(step.argv.map(shown).join(' '));
}
