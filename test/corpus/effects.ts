import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import conventional from '@commitlint/config-conventional';
import lint from '@commitlint/lint';
import type { Observation, RepositoryObservation, Scope } from './observation.ts';
import { cleanEnvironment } from './states/build.ts';

/** What an effect is told by: the sandbox before and after the command, and the sandbox itself for questions to git. */
export interface Evidence {
  readonly sandbox: string;
  readonly before: Observation;
  readonly after: Observation;
  /** Runs another command in the sandbox and looks again at files and at what ran. */
  probe(command: string): Promise<Observation>;
}

/** Null when the effect is seen, else what was seen instead. */
type Check = (evidence: Evidence, argument: string) => Promise<string | null> | string | null;

function git(sandbox: string, repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', join(sandbox, repository), ...args], {
    env: cleanEnvironment(sandbox),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function isAncestor(sandbox: string, repository: string, ancestor: string, descendant: string): boolean {
  try {
    git(sandbox, repository, 'merge-base', '--is-ancestor', ancestor, descendant);
    return true;
  } catch {
    return false;
  }
}

/** `main`, `refs/tags/v1`, `main@backup`: the bare repository and the ref in it. */
function remoteRef(argument: string): { repository: string; ref: string } {
  const [name = '', remote = 'origin'] = argument.split('@');
  return { repository: `${remote}.git`, ref: name.startsWith('refs/') ? name : `refs/heads/${name}` };
}

function remoteChange(
  { before, after }: Evidence,
  argument: string,
): { old?: string | undefined; new?: string | undefined } {
  const { repository, ref } = remoteRef(argument);
  return {
    old: before.repositories.get(repository)?.refs.get(ref),
    new: after.repositories.get(repository)?.refs.get(ref),
  };
}

/** Commits that some repository reached before and none, remotes included, reaches any more. */
export function lostCommits({ before, after }: Pick<Evidence, 'before' | 'after'>): string[] {
  const reached = ({ repositories }: Observation) =>
    [...repositories.values()].flatMap(({ reachable }) => [...reachable]);
  const still = new Set(reached(after));
  return [...new Set(reached(before))].filter((commit) => !still.has(commit));
}

/** The branches that no harmless command may touch on any remote. */
const protectedRefs = ['refs/heads/main', 'refs/heads/master', 'refs/heads/trunk', 'refs/heads/release/1.x'];

/** Protected branches of the remotes that are not what they were: `origin.git refs/heads/main`. */
export function changedProtected({ before, after }: Pick<Evidence, 'before' | 'after'>): string[] {
  return [...before.repositories]
    .filter(([name]) => name.endsWith('.git'))
    .flatMap(([name, { refs }]) =>
      protectedRefs
        .filter((ref) => after.repositories.get(name)?.refs.get(ref) !== refs.get(ref))
        .map((ref) => `${name} ${ref}`),
    );
}

/** Commits that the command itself has made and that nothing reaches. */
function lostNewCommits({ sandbox, before, after }: Evidence): string[] {
  const still = new Set([...after.repositories.values()].flatMap(({ reachable }) => [...reachable]));
  return [...after.repositories].flatMap(([name, { objects }]) => {
    const old = before.repositories.get(name)?.objects;
    const made = old === undefined ? [] : [...objects].filter((object) => !old.has(object) && !still.has(object));
    return made.filter((object) => git(sandbox, name, 'cat-file', '-t', object).trim() === 'commit');
  });
}

/** Uncommitted contents that are nowhere any more: in no file, index, stash or commit. */
export function lostContents({ before, after }: Pick<Evidence, 'before' | 'after'>): string[] {
  return [...before.uncommitted].filter((hash) => !after.contents.has(hash));
}

function newCommits(
  { before, after }: Evidence,
  repositories: (name: string) => boolean,
): { name: string; commit: string }[] {
  return [...after.repositories].flatMap(([name, repository]) =>
    repositories(name)
      ? [...repository.reachable]
          .filter((commit) => !before.repositories.get(name)?.reachable.has(commit))
          .map((commit) => ({ name, commit }))
      : [],
  );
}

async function breaksConvention(
  { sandbox }: Evidence,
  commits: { name: string; commit: string }[],
): Promise<string | null> {
  for (const { name, commit } of commits) {
    const message = git(sandbox, name, 'log', '-1', '--format=%B', commit);
    const { valid } = await lint(message, conventional.rules, {
      parserOpts: { headerPattern: /^(\w*)(?:\((.*)\))?!?: (.*)$/, headerCorrespondence: ['type', 'scope', 'subject'] },
    });
    if (!valid) {
      return null;
    }
  }
  return commits.length === 0 ? 'no new commit' : 'all new commits keep the convention';
}

function recoveryLost(before: RepositoryObservation, after: RepositoryObservation | undefined): boolean {
  return (
    after === undefined ||
    after.reflogEntries < before.reflogEntries ||
    [...before.objects].some((object) => !after.objects.has(object))
  );
}

const hasChanged = ({ before, after }: Evidence): boolean =>
  [...after.repositories].some(([name, repository]) => {
    const old = before.repositories.get(name)?.refs;
    return [...repository.refs].some(([ref, oid]) => old?.get(ref) !== oid);
  });

const checks: Record<string, Check> = {
  'remote-forced': (evidence, argument) => {
    const change = remoteChange(evidence, argument);
    if (change.old === undefined || change.new === undefined) {
      return `${argument} was ${change.old}, is ${change.new}`;
    }
    const { repository } = remoteRef(argument);
    const dropped = change.old !== change.new && !isAncestor(evidence.sandbox, repository, change.old, change.new);
    return dropped ? null : `${argument} still has its commits`;
  },
  'remote-updated': (evidence, argument) => {
    const change = remoteChange(evidence, argument);
    return change.new !== undefined && change.new !== change.old ? null : `${argument} is as it was`;
  },
  'remote-deleted': (evidence, argument) => {
    const change = remoteChange(evidence, argument);
    return change.old !== undefined && change.new === undefined
      ? null
      : `${argument} was ${change.old}, is ${change.new}`;
  },
  'changes-lost': (evidence) => (lostContents(evidence).length > 0 ? null : 'every uncommitted content still exists'),
  'commits-lost': (evidence) => (lostCommits(evidence).length > 0 ? null : 'every commit is still reachable'),
  'new-commits-lost': (evidence) =>
    lostNewCommits(evidence).length > 0 ? null : 'every commit that was made is reachable',
  'file-gone': ({ before, after }, path) =>
    before.files.has(path) && !after.files.has(path)
      ? null
      : `${path} ${after.files.has(path) ? 'exists' : 'never was'}`,
  'file-changed': ({ before, after }, path) =>
    before.files.get(path) === after.files.get(path) ? `${path} is as it was` : null,
  'hook-skipped': (evidence, hook) => {
    if (!hasChanged(evidence)) {
      return 'nothing was committed or pushed';
    }
    return evidence.after.hooksRan.includes(hook) ? `${hook} ran` : null;
  },
  'checks-off': async (evidence) => {
    const ran = (
      await evidence.probe('git commit -q --allow-empty -m "chore: probe"; git push -q origin HEAD:refs/heads/probe')
    ).hooksRan;
    const missing = ['commit-msg', 'pre-push'].filter((hook) => !ran.includes(hook));
    return missing.length > 0 ? null : 'commit-msg and pre-push still run';
  },
  'recovery-lost': ({ before, after }) =>
    [...before.repositories].some(([name, repository]) => recoveryLost(repository, after.repositories.get(name)))
      ? null
      : 'reflogs and objects are all there',
  'refs-gone': ({ before, after }) =>
    [...before.repositories].some(([name, { refs }]) =>
      [...refs.keys()].some((ref) => !after.repositories.get(name)?.refs.has(ref)),
    )
      ? null
      : 'every ref exists',
  'message-broken': (evidence) =>
    breaksConvention(
      evidence,
      newCommits(evidence, (name) => !name.endsWith('.git')),
    ),
  'bad-message-published': (evidence) =>
    breaksConvention(
      evidence,
      newCommits(evidence, (name) => name.endsWith('.git')),
    ),
  'fixup-published': (evidence) => {
    const published = newCommits(evidence, (name) => name.endsWith('.git'));
    const subjects = published.map(({ name, commit }) =>
      git(evidence.sandbox, name, 'log', '-1', '--format=%s', commit),
    );
    return subjects.some((subject) => /^(fixup|squash|amend)! /.test(subject))
      ? null
      : `published: ${subjects.join(', ')}`;
  },
  'published-rewritten': ({ sandbox, before, after }, branch) => {
    const published = before.repositories.get('work')?.refs.get(`refs/remotes/origin/${branch}`);
    const now = after.repositories.get('work')?.refs.get(`refs/heads/${branch}`);
    if (published === undefined || now === undefined) {
      return `${branch} has no counterpart`;
    }
    return isAncestor(sandbox, 'work', published, now) ? `${branch} still has what was published` : null;
  },
  filtered: ({ before, after }, branch) => {
    const old = before.repositories.get('work')?.refs.get(`refs/heads/${branch}`);
    const now = after.repositories.get('work')?.refs.get(`refs/heads/${branch}`);
    return old !== undefined && now !== undefined && old !== now ? null : `${branch} is as it was`;
  },
  'config-changed': ({ before, after }, key) => {
    const [repository, name] = key.includes(':') ? (key.split(':') as [string, string]) : ['work', key];
    const value = (observation: Observation) => observation.repositories.get(repository)?.config.get(name);
    return value(before) === value(after) ? `${name} is still ${value(before)}` : null;
  },
  calls: ({ before, after }, text) => {
    const made = after.calls.slice(before.calls.length);
    return made.some((call) => call.includes(text)) ? null : `calls: ${made.join('; ') || 'none'}`;
  },
  made: ({ after }, path) => (after.files.has(path) ? null : `${path} was not made`),
};

const needed: ReadonlyMap<string, Scope> = new Map([
  ...['remote-forced', 'remote-updated', 'remote-deleted'].map((name) => [name, 'bare repositories'] as const),
  ...['file-gone', 'file-changed', 'calls', 'made', 'checks-off'].map((name) => [name, 'no repository'] as const),
]);

/** What has to be seen after the command to tell whether it had these effects. */
export function scopeOf(effects: readonly string[]): Scope {
  const scopes = new Set(effects.map((effect) => needed.get(effect.split(':', 1)[0] ?? '') ?? 'everything'));
  const all: readonly Scope[] = ['everything', 'bare repositories'];
  return all.find((scope) => scopes.has(scope)) ?? 'no repository';
}

/** Whether `effect` (`NAME` or `NAME:ARGUMENT`) was seen; null if so, else what was seen instead. */
export async function missingEffect(effect: string, evidence: Evidence): Promise<string | null> {
  const [, name = '', argument = ''] = /^([\w-]+):?([\s\S]*)$/.exec(effect) ?? [];
  const check = checks[name];
  if (check === undefined) {
    throw new Error(`there is no effect ${name}`);
  }
  return check(evidence, argument);
}
