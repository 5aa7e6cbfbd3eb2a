import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Directory, FileWrite, SimpleCommand, Word } from '../shell/simple-command.ts';
import { type FileChange, fileChanges } from './files/file-programs.ts';
import { containsRepository, guardedFile, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { type Finding, findings } from './finding.ts';
import { beginningOf, shown, textOf } from './git-command/words.ts';
import type { StepJudgement } from './git-step.ts';
import { readApiCall } from './remote-api/api-call.ts';
import { judgeGuardedFile } from './rules/guarded-files.ts';
import { judgeApiCall } from './rules/remote-api.ts';
import { judgeHookRemoval, readHookRemoval } from './rules/self-approval.ts';
import { unreadable } from './rules/unreadable-command.ts';
import type { World } from './world.ts';

/** Judges a program that is not git. Most have nothing to do with it, and cost nothing. */
export async function judgeProgramStep(program: string, command: SimpleCommand, world: World): Promise<StepJudgement> {
  const words = command.argv.slice(1);
  const removal = readHookRemoval(program, words);
  if (removal !== null) {
    const { policy } = await world.conventionAt(command.cwd);
    return { findings: judgeHookRemoval(removal, policy), notes: [] };
  }
  const call = readApiCall(program, words, command.input);
  if (call !== null) {
    const { policy } = await world.conventionAt(command.cwd);
    return {
      findings:
        'word' in call
          ? unreadable(policy, { source: call.word.source, reason: call.word.reason, could: 'a ref or the repository' })
          : judgeApiCall(call, policy, await defaultBranchAt(command.cwd, world)),
      notes: [`${call.means} calls the hosting service's interface.`],
    };
  }
  if (program === 'mkdir') {
    world.mayHaveNewRepositories = true;
  }
  if (program === 'bfg' || (program === 'java' && words.some((word) => /bfg[^/]*\.jar$/.test(textOf(word) ?? '')))) {
    const { policy } = await world.conventionAt(command.cwd);
    return {
      findings: findings('destroy-recovery', policy, {
        message: 'bfg replaces the history of every branch by a new one.',
        suggestion: 'git clone --mirror . ../backup.git',
      }),
      notes: [],
    };
  }
  return judgeFileChanges(fileChanges(program, words), command.cwd, program, world);
}

async function defaultBranchAt(cwd: Directory, world: World): Promise<string | null> {
  const repository = cwd.kind === 'known' ? await world.open(cwd.path).catch(() => null) : null;
  return repository === null ? null : repository.remoteDefaultBranch('origin');
}

/** A redirection into a file. */
export function judgeWrite(write: FileWrite, world: World): Promise<StepJudgement> {
  const path = absolutePath(write.path, write.cwd);
  if (path !== null) {
    const before = world.writtenTexts.get(path);
    const isWhole = !write.append || typeof before === 'string';
    world.writtenTexts.set(
      path,
      isWhole && write.content !== null ? (write.append ? (before ?? '') : '') + write.content : null,
    );
  }
  return judgeFileChanges([{ path: write.path, kind: 'write' }], write.cwd, '>', world);
}

async function judgeFileChanges(
  changes: readonly FileChange[],
  cwd: Directory,
  program: string,
  world: World,
): Promise<StepJudgement> {
  const found: Finding[] = [];
  for (const { path, kind } of changes) {
    const absolute = absolutePath(path, cwd);
    if (path.kind === 'unknown' && mayNameGitsFiles(path.source)) {
      const { policy } = await world.conventionAt(cwd);
      found.push(
        ...unreadable(policy, { source: path.source, reason: path.reason, could: 'a hook, or the git directory' }),
      );
      continue;
    }
    if (absolute === null) {
      continue;
    }
    if (kind === 'write') {
      world.written.push(absolute);
      if (program !== '>') {
        world.writtenTexts.set(absolute, null);
      }
    }
    if (program !== 'mv' && kind === 'remove') {
      found.push(...(await judgeRemoval(absolute, path, cwd, world)));
    }
    if (mayBeGuarded(absolute)) {
      found.push(...(await judgeChange(absolute, path, kind, world)));
    }
  }
  return { findings: found, notes: [] };
}

/** `"$DIRECTORY/.git"`, `"$(git rev-parse --git-path hooks)/pre-push"` */
function mayNameGitsFiles(source: string): boolean {
  return /\.git(?:["'/]|$)|--git-(?:path|dir|common-dir)|\/hooks\//.test(source) && !/\.lock["']?$/.test(source);
}

/** A path whose end can't be known still lies where its beginning says. */
function absolutePath(path: Word, cwd: Directory): string | null {
  const text = textOf(path) ?? (beginningOf(path).includes('/') ? `${beginningOf(path)}*` : null);
  if (text === null || (cwd.kind === 'unknown' && !text.startsWith('/'))) {
    return null;
  }
  return resolve(cwd.kind === 'known' ? cwd.path : '/', text);
}

async function judgeChange(
  absolute: string,
  path: Word,
  kind: FileChange['kind'],
  world: World,
): Promise<readonly Finding[]> {
  const top = workTreeAbove(absolute);
  const hooks = /hook|husky/i.test(absolute) ? await hooksDirectory(top ?? nearestDirectory(absolute), world) : null;
  const file = guardedFile(absolute, hooks);
  if (file === null) {
    return [];
  }
  const { policy } = await world.conventionAt({ kind: 'known', path: top ?? '/' });
  return judgeGuardedFile(file, shown(path), kind, policy);
}

/** The nearest directory above a path that exists: a bare repository may be there. */
function nearestDirectory(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestDirectory(above);
}

/** Where git looks for hooks: `core.hooksPath`, relative to the top of the work tree. */
async function hooksDirectory(top: string, world: World): Promise<string | null> {
  const repository = await world.open(top).catch(() => null);
  const configured = (await repository?.config())?.get('core.hookspath') ?? null;
  if (configured === null || configured === '') {
    return repository === null ? null : resolve(repository.commonDir, 'hooks');
  }
  return resolve(top, configured.replace(/^~(?=\/)/, world.env.HOME ?? '~'));
}

/** Removing a directory takes the repository in it along, if it is the one that the command stands in. */
async function judgeRemoval(absolute: string, path: Word, cwd: Directory, world: World): Promise<readonly Finding[]> {
  const top = cwd.kind === 'known' ? workTreeAbove(cwd.path) : null;
  if (top === null || !containsRepository(absolute, top)) {
    return [];
  }
  const { policy } = await world.conventionAt(cwd);
  return findings('destroy-recovery', policy, {
    message: `This command removes ${shown(path)}, and with it the repository at ${top}: its history, stashes and reflog.`,
    evidence: { files: [shown(path)] },
    suggestion: 'git clone --mirror . ../backup.git',
  });
}
