import type { Word } from '../../shell/simple-command.ts';
import { beginningOf } from '../git-command/words.ts';
import type { ApiCall, Effect } from './effects.ts';

/** A command of a hosting service's tool that changes the repository, its branches or what protects them. */
interface ServiceCommand {
  /** The words it begins with. */
  readonly command: string;
  readonly kind?: Effect['kind'];
  /** The option that names the branch. */
  readonly branch?: string;
  /** Only with one of these options. */
  readonly when?: readonly string[];
  readonly says: string;
}

const deletesRepository = 'deletes the repository';
const changesDefault = 'changes the default branch';
const changesProtection = 'changes the protection of a branch';

/** By program: the tools' own references. */
const rows: Readonly<Record<string, readonly ServiceCommand[]>> = {
  tea: [
    ...['repos delete', 'repos rm', 'repo delete', 'repo rm'].map((command) => ({ command, says: deletesRepository })),
    ...['branches unprotect', 'branches protect', 'branch unprotect'].map((command) => ({
      command,
      says: changesProtection,
    })),
    { command: 'releases delete', when: ['--delete-tag'], says: 'deletes a release and its tag' },
  ],
  glab: [
    { command: 'repo transfer', says: 'gives the repository to another owner' },
    { command: 'repo mirror', says: 'makes the repository a mirror' },
    { command: 'repo update', when: ['--defaultBranch', '--archive'], says: 'changes the settings of the repository' },
    { command: 'release delete', when: ['-t', '--with-tag'], says: 'deletes a release and its tag' },
  ],
  az: [
    { command: 'repos delete', says: deletesRepository },
    { command: 'repos ref delete', kind: 'delete', branch: '--name', says: 'deletes a ref' },
    { command: 'repos ref update', kind: 'overwrite', branch: '--name', says: 'moves a ref' },
    { command: 'repos ref unlock', branch: '--name', says: 'unlocks a ref' },
    { command: 'repos policy delete', says: changesProtection },
    { command: 'repos policy update', says: changesProtection },
    { command: 'repos update', when: ['--default-branch', '--name'], says: 'changes the repository' },
    {
      command: 'repos pr update',
      when: ['--bypass-policy'],
      says: 'merges without the checks that the branch requires',
    },
  ],
  aws: [
    { command: 'codecommit delete-branch', kind: 'delete', branch: '--branch-name', says: 'deletes a branch' },
    { command: 'codecommit delete-repository', says: deletesRepository },
    { command: 'codecommit update-default-branch', says: changesDefault },
    ...['put-file', 'delete-file', 'create-commit'].map((verb) => ({
      command: `codecommit ${verb}`,
      branch: '--branch-name',
      says: 'commits to a branch',
    })),
    ...['fast-forward', 'squash', 'three-way'].map((how) => ({
      command: `codecommit merge-branches-by-${how}`,
      branch: '--target-branch',
      says: 'merges into a branch',
    })),
  ],
  gcloud: [{ command: 'source repos delete', says: deletesRepository }],
};

/** Reads a call of such a tool; null where it changes nothing of this kind. */
export function readServiceTool(program: string, words: readonly Word[]): ApiCall | null {
  const ofTool = Object.hasOwn(rows, program) ? rows[program] : undefined;
  if (ofTool === undefined) {
    return null;
  }
  const texts = words.map(beginningOf);
  const spoken = texts.filter((text) => !text.startsWith('-')).join(' ');
  const row = ofTool.find(
    ({ command, when }) =>
      `${spoken} `.startsWith(`${command} `) &&
      (when === undefined ||
        texts.some((text) => when.some((option) => text === option || text.startsWith(`${option}=`)))),
  );
  if (row === undefined) {
    return null;
  }
  const { branch: option, kind = 'write', says } = row;
  const at = option === undefined ? -1 : texts.findIndex((text) => text === option || text.startsWith(`${option}=`));
  const value = at < 0 ? null : (/=(.*)$/.exec(texts[at] ?? '')?.[1] ?? texts[at + 1] ?? null);
  const branch = value?.replace(/^(?:refs\/)?heads\//, '') ?? null;
  return {
    means: `${program} ${row.command}`,
    effect: { kind, branch, says: branch === null ? says : `${says} (${branch})` },
    suggestion: null,
  };
}
