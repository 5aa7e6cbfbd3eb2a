import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, pasted } from '../git-command/words.ts';
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
  /** What to run instead, or to look at first; missing: the same call without those options. */
  readonly instead?: string;
  /** Beside that call. */
  readonly otherwise?: string;
}

const deletesRepository = 'deletes the repository';
const changesDefault = 'changes the default branch';
const changesProtection = 'changes the protection of a branch';

/** By program: the tools' own references. */
const rows: Readonly<Record<string, readonly ServiceCommand[]>> = {
  tea: [
    ...['repos delete', 'repos rm', 'repo delete', 'repo rm'].map((command) => ({
      command,
      says: deletesRepository,
      instead: 'tea repos list',
    })),
    ...['branches unprotect', 'branches protect', 'branch unprotect'].map((command) => ({
      command,
      says: changesProtection,
      instead: 'tea branches list',
    })),
    ...['branches delete', 'branches rm', 'branch delete', 'branch rm'].map((command) => ({
      command,
      says: 'deletes a branch',
      instead: 'tea branches list',
    })),
    {
      command: 'releases delete',
      when: ['--delete-tag'],
      says: 'deletes a release and its tag',
    },
  ],
  glab: [
    { command: 'repo transfer', says: 'gives the repository to another owner', instead: 'glab repo view' },
    { command: 'repo mirror', says: 'makes the repository a mirror', instead: 'glab repo view' },
    {
      command: 'repo update',
      when: ['--defaultBranch', '--archive'],
      says: 'changes the settings of the repository',
      instead: 'glab repo view',
    },
    {
      command: 'release delete',
      when: ['-t', '--with-tag'],
      says: 'deletes a release and its tag',
    },
  ],
  az: [
    { command: 'repos delete', says: deletesRepository, instead: 'az repos list' },
    {
      command: 'repos ref delete',
      kind: 'delete',
      branch: '--name',
      says: 'deletes a ref',
      instead: 'az repos ref list',
    },
    {
      command: 'repos ref update',
      kind: 'overwrite',
      branch: '--name',
      says: 'moves a ref',
      instead: 'az repos pr create',
    },
    { command: 'repos ref unlock', branch: '--name', says: 'unlocks a ref', instead: 'az repos ref list' },
    { command: 'repos policy delete', says: changesProtection, instead: 'az repos policy list' },
    { command: 'repos policy update', says: changesProtection, instead: 'az repos policy list' },
    {
      command: 'repos update',
      when: ['--default-branch', '--name'],
      says: 'changes the repository',
      instead: 'az repos list',
    },
    {
      command: 'repos pr update',
      when: ['--bypass-policy'],
      says: 'merges without the checks that the branch requires',
      otherwise: '--auto-complete true',
    },
  ],
  aws: [
    {
      command: 'codecommit delete-branch',
      kind: 'delete',
      branch: '--branch-name',
      says: 'deletes a branch',
      instead: 'aws codecommit get-branch',
    },
    { command: 'codecommit delete-repository', says: deletesRepository, instead: 'aws codecommit get-repository' },
    { command: 'codecommit update-default-branch', says: changesDefault, instead: 'aws codecommit get-repository' },
    ...['put-file', 'delete-file', 'create-commit'].map((verb) => ({
      command: `codecommit ${verb}`,
      branch: '--branch-name',
      says: 'commits to a branch',
      instead: 'aws codecommit create-pull-request',
    })),
    ...['fast-forward', 'squash', 'three-way'].map((how) => ({
      command: `codecommit merge-branches-by-${how}`,
      branch: '--target-branch',
      says: 'merges into a branch',
      instead: 'aws codecommit create-pull-request',
    })),
  ],
  gcloud: [{ command: 'source repos delete', says: deletesRepository, instead: 'gcloud source repos list' }],
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
    suggestion: row.instead ?? withoutOptions(program, words, row),
  };
}

function withoutOptions(program: string, words: readonly Word[], { when = [], otherwise }: ServiceCommand): string {
  const isLeftOut = (word: Word | undefined) => when.includes(beginningOf(word ?? known('')).replace(/=.*$/, ''));
  // az: "--bypass-policy {false, true}"
  const isValue = (word: Word, at: number) => isLeftOut(words[at - 1]) && /^(?:true|false)$/.test(beginningOf(word));
  const left = words.filter((word, at) => !isLeftOut(word) && !isValue(word, at)).map(pasted);
  return [program, ...left, ...(otherwise === undefined ? [] : [otherwise])].join(' ');
}
