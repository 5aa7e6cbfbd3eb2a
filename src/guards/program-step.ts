import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDirectory, readText } from '../git/files.ts';
import { isDevicePath } from '../shell/device-path.ts';
import { filesOfPatch, readPatchCall } from '../shell/programs/patch-program.ts';
import { type Directory, type FileWrite, programName, type SimpleCommand, type Word } from '../shell/simple-command.ts';
import { recordCopiedGitfiles, recordCopy } from './copied-directories.ts';
import { judgeFileChanges } from './file-step.ts';
import { absolutePath } from './files/absolute-path.ts';
import type { FileChange } from './files/file-change.ts';
import { fileChanges } from './files/file-programs.ts';
import { workTreeAbove } from './files/guarded-file.ts';
import { type Finding, findings } from './finding.ts';
import type { JudgeSteps } from './git-call.ts';
import { known, textOf } from './git-command/words.ts';
import { recordLinkedCopies } from './linked-copies.ts';
import { judgeMergedRequest, readMergedRequest } from './merged-request.ts';
import { mirrorOf } from './mirror-of.ts';
import { otherCopiers, recordOtherCopies } from './other-copies.ts';
import { recordArchives } from './packed-repositories.ts';
import { checksOut, judgePulledCheckout } from './pulled-checkout.ts';
import { readApiCall } from './remote-api/api-call.ts';
import { judgeChangedGitFile } from './rules/checks/changed-git-files.ts';
import { judgeHookRemoval, readHookRemoval } from './rules/checks/hook-removal.ts';
import { judgeRewrittenTasks, runsTasks } from './rules/checks/rewritten-scripts.ts';
import { judgeStartupFile } from './rules/checks/startup-file.ts';
import { judgeWrittenSettings } from './rules/checks/written-settings.ts';
import { judgeApiCall } from './rules/pushes/remote-api.ts';
import { unreadable } from './rules/unreadable-command.ts';
import type { StepJudgement } from './step-judgement.ts';
import type { World } from './world.ts';

/** What a program is judged with. */
interface Judging {
  readonly world: World;
  readonly judgeSteps: JudgeSteps;
}

/** Judges a program that is not git. Most have nothing to do with it, and cost nothing. */
export async function judgeProgramStep(
  program: string,
  command: SimpleCommand,
  { world, judgeSteps }: Judging,
): Promise<StepJudgement> {
  const words = command.argv.slice(1);
  const removal = readHookRemoval(program, words);
  if (removal !== null && (removal.over === undefined || writesOver(removal.over, command.cwd))) {
    const { policy } = await world.conventionAt(command.cwd);
    return { findings: judgeHookRemoval(removal, policy), notes: [] };
  }
  const call = readApiCall(program, words, {
    input: command.input,
    readFile: (path) => fileText(path, command.cwd, world),
  });
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
  if (hostingClients.test(program)) {
    const merged = readMergedRequest(program, words);
    if (merged !== null) {
      return { findings: await judgeMergedRequest(merged, command, world, judgeSteps), notes: [] };
    }
    if (checksOut(program, words)) {
      return { findings: await judgePulledCheckout(command, world, judgeSteps), notes: [] };
    }
  }
  world.patches.isLimited ||= program === 'ulimit';
  if (program === 'bfg' || (program === 'java' && words.some((word) => /bfg[^/]*\.jar$/.test(textOf(word) ?? '')))) {
    const { policy } = await world.conventionAt(command.cwd);
    const directory = command.cwd.kind === 'known' ? command.cwd.path : world.start;
    return {
      findings: findings('destroy-recovery', policy, {
        message: 'bfg replaces the history of every branch by a new one.',
        suggestion: mirrorOf(workTreeAbove(directory) ?? directory, world.start),
      }),
      notes: [],
    };
  }
  const judged = await judgeProgramChanges(program, command, { world, judgeSteps });
  recordDirectories(program, command, world);
  // Read where it can matter: hardly a line packs anything.
  if (world.packed.length > 0 || /tar$/.test(program)) {
    recordArchives(program, command, world);
  }
  const mayBeWritten = world.writtenTexts.size > 0 || command.input?.kind === 'unknown';
  if (!mayBeWritten || !runsTasks(program)) {
    return judged;
  }
  const { policy } = await world.conventionAt(command.cwd);
  return { ...judged, findings: [...judged.findings, ...judgeRewrittenTasks(program, command, policy, world)] };
}

/** Programs of hosting services that call git themselves; asked by their names first, because most programs are others. */
const hostingClients = /^(?:gh|glab|hub|tea)$/;

/** The file that a command writes over, whatever it holds: `husky init`. */
function writesOver(path: string, cwd: Directory): boolean {
  const top = cwd.kind === 'known' ? workTreeAbove(cwd.path) : null;
  return top !== null && existsSync(join(top, path));
}

/** Directories that go with everything in them, or are made as copies of others. */
function recordDirectories(program: string, { argv, cwd, origin }: SimpleCommand, world: World): void {
  const words = argv.slice(1);
  const operands = words.filter((word) => !(textOf(word) ?? '').startsWith('-'));
  const isRecursive = words.some((word) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/.test(textOf(word) ?? ''));
  if (program === 'rm' && isRecursive) {
    for (const path of operands.flatMap((word) => absolutePath(word, cwd) ?? [])) {
      world.scratch.remove(path, origin.path);
    }
  }
  if (program === 'rm') {
    for (const path of operands.flatMap((word) => absolutePath(word, cwd) ?? [])) {
      world.gitfiles.remove(path, origin.path);
    }
  }
  if (program === 'cp' || program === 'rsync') {
    recordCopy(program, { operands, words, isRecursive }, { cwd, origin }, world);
  }
}

/** A file as this line leaves it; empty where it is not there. */
function fileText(name: string, cwd: Directory, world: World): string | null {
  const path = absolutePath(known(name), cwd);
  const written = path === null ? null : world.writtenTexts.get(path);
  if (path === null || written !== undefined) {
    return written ?? null;
  }
  if (isDevicePath(path)) {
    return null;
  }
  return readText(path) ?? '';
}

async function defaultBranchAt(cwd: Directory, world: World): Promise<string | null> {
  const repository = cwd.kind === 'known' ? await world.open(cwd.path).catch(() => null) : null;
  return repository === null ? null : repository.remoteDefaultBranch('origin');
}

/** What an ignore file holds that the line has left as it was; of others it does not matter. */
function textToAddTo(path: string, { writtenTexts }: World): string | undefined {
  const isIgnores = /\/(?:\.gitignore|info\/exclude)$/.test(path);
  return isIgnores && !writtenTexts.has(path) ? (readText(path) ?? '') : undefined;
}

/** A redirection into a file. */
export async function judgeWrite(write: FileWrite, world: World, judgeSteps: JudgeSteps): Promise<StepJudgement> {
  const path = absolutePath(write.path, write.cwd);
  if (path !== null) {
    recordPrinter(path, write, world);
  }
  if (path !== null && write.content === null && isSubstituted(path)) {
    return { findings: [], notes: [] };
  }
  if (path !== null) {
    const before = world.writtenTexts.get(path) ?? (write.append ? textToAddTo(path, world) : undefined);
    const isWhole = !write.append || typeof before === 'string';
    world.writtenTexts.set(
      path,
      isWhole && write.content !== null ? (write.append ? (before ?? '') : '') + write.content : null,
    );
    noteGitfile(path, isWhole ? write.content : null, world);
    const { printedBy, program } = write;
    const words = printedBy === undefined ? new Set<string>() : world.writers.wordsOf(printedBy);
    world.writers.record(path, program === undefined ? words : new Set([program]));
  }
  const changes = [{ path: write.path, kind: 'write' }] as const;
  const found = [
    ...(await judgeFileChanges({ changes, cwd: write.cwd, destroyedBy: null }, world)),
    ...(path === null ? [] : await judgeStartupFile(path, write.content, { world, cwd: write.cwd, judgeSteps })),
    ...(path === null ? [] : await judgeWrittenSettings(path, write.content, world, judgeSteps)),
    ...(path === null ? [] : await judgeChangedGitFile(path, 'write', world, judgeSteps)),
  ];
  if (path !== null) {
    world.patches.record(path, write);
  }
  return { findings: found, notes: [] };
}

/** `echo "gitdir: …" > .git` */
function noteGitfile(path: string, text: string | null, { gitfiles }: World): void {
  if (basename(path) === '.git') {
    gitfiles.recordText(path, text);
  }
}

function recordPrinter(path: string, { printedBy, append }: FileWrite, { printed }: World): void {
  if (printedBy === undefined || append) {
    printed.delete(path);
  } else {
    printed.set(path, printedBy);
  }
}

/** `<(git show)`: no file that anything is written to. */
function isSubstituted(path: string): boolean {
  return path.startsWith('/dev/fd/');
}

/** What they take away is there under another name. */
const movers: ReadonlySet<string> = new Set(['mv', 'rename']);

async function judgeProgramChanges(
  program: string,
  command: SimpleCommand,
  { world, judgeSteps }: Judging,
): Promise<StepJudgement> {
  const { argv, cwd, input, wrote } = command;
  const patched = program === 'patch' ? patchedFiles(argv.slice(1), input, (path) => fileText(path, cwd, world)) : [];
  const changes = [...fileChanges(program, argv.slice(1), input?.kind === 'text' ? input.text : null), ...patched];
  const written = changes.flatMap(({ path, kind }) => (kind === 'write' ? (absolutePath(path, cwd) ?? []) : []));
  const writer = written.length === 0 ? new Set<string>() : world.writers.wordsOf(command);
  for (const path of written) {
    world.writtenTexts.set(path, wrote?.get(path) ?? null);
    world.writers.record(path, writer);
  }
  // A file that touch makes is no change of one that is there.
  for (const [path, text] of program === 'touch' ? (wrote ?? []) : []) {
    world.writtenTexts.set(path, text);
  }
  const destroyedBy = movers.has(program) && !written.some(isDevicePath) ? null : command.origin;
  const found = [...(await judgeFileChanges({ changes, cwd, destroyedBy }, world))];
  for (const { path, kind } of changes) {
    const absolute = absolutePath(path, cwd);
    if (absolute !== null) {
      const text = kind === 'write' ? (world.writtenTexts.get(absolute) ?? null) : null;
      found.push(...(await judgeWrittenSettings(absolute, text, world, judgeSteps)));
      found.push(...(await judgeChangedGitFile(absolute, kind, world, judgeSteps)));
    }
  }
  if (program === 'tee') {
    found.push(...(await judgeReadText(written, command, { world, judgeSteps })));
    recordTee(written, command, world);
  } else {
    recordNames(program, command, world);
  }
  return { findings: found, notes: [] };
}

/** Follows under which other names files are there now. */
function recordNames(program: string, command: SimpleCommand, world: World): void {
  const { argv, cwd, origin } = command;
  const isHere = cwd.kind === 'known' && cwd.isMounted !== true;
  switch (program) {
    case 'ln':
      recordLinks(argv.slice(1), cwd, world);
      break;
    case 'mv':
      world.moved.recordAll(argv.slice(1), cwd, isHere ? origin : null);
      break;
    case 'cp':
    case 'rsync':
      recordLinkedCopies(program, argv.slice(1), cwd, world);
      break;
  }
  if (isHere && (program === 'cp' || program === 'mv')) {
    recordCopies(command, world);
  } else if (isHere && otherCopiers.has(program)) {
    recordOtherCopies(program, command, world);
  }
}

function recordTee(written: readonly string[], command: SimpleCommand, world: World): void {
  const { input } = command;
  world.patches.recordProgram(written, command);
  for (const path of written) {
    noteGitfile(path, input?.kind === 'text' ? input.text : null, world);
  }
}

/** `echo … | tee -a ~/.bashrc`: what it reads is what comes into the files. */
async function judgeReadText(
  paths: readonly string[],
  { cwd, input }: SimpleCommand,
  { world, judgeSteps }: Judging,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const path of paths) {
    const text = input?.kind === 'text' ? input.text : null;
    found.push(...(await judgeStartupFile(path, text, { world, cwd, judgeSteps })));
  }
  return found;
}

/** Options with which cp and mv surely make what they are told to, once they have succeeded. */
const copiesAll = /^(?:-[aprRfvPLdx]+|--(?:archive|recursive|force|verbose|preserve(?:=.*)?))$/;

/** `cp FILE COPY`, `cp FILE… DIRECTORY` */
function recordCopies({ argv, cwd, origin }: SimpleCommand, world: World): void {
  const texts = argv.slice(1).map((word) => textOf(word) ?? '-?');
  const paths = texts.filter((text) => !text.startsWith('-')).map((text) => absolutePath(known(text), cwd));
  const target = paths.at(-1) ?? null;
  if (target === null || texts.some((text) => text.startsWith('-') && !copiesAll.test(text))) {
    return;
  }
  const isInto = isDirectory(target) || texts.at(-1)?.endsWith('/') === true;
  recordCopiedGitfiles(paths.slice(0, -1), target, world);
  for (const source of isInto || paths.length === 2 ? paths.slice(0, -1) : []) {
    // What is done where a moved directory is now is done to its only copy.
    if (source !== null && !(programName(argv[0]) === 'mv' && isDirectory(source))) {
      world.patches.recordCopy(source, isInto ? join(target, basename(source)) : target, origin);
    }
  }
}

/** patch(1): files by their names in the patch; where that is not known, the one that is named. */
function patchedFiles(
  words: readonly Word[],
  input: SimpleCommand['input'],
  readFile: (path: string) => string | null,
): readonly FileChange[] {
  const told = readPatchCall(
    'patch',
    words.map((word) => textOf(word) ?? ''),
  );
  if (told.isTried) {
    return [];
  }
  const patch = told.source !== null ? readFile(told.source) : input?.kind === 'text' ? input.text : null;
  const { files, others } = filesOfPatch(patch ?? '', told);
  const at = (name: string) => known(told.place(name));
  return [
    ...files.map(
      ({ before, after }): FileChange => ({
        path: at(after ?? before ?? ''),
        kind: after === null ? 'remove' : 'write',
      }),
    ),
    ...others.map((name): FileChange => ({ path: at(name), kind: 'write' })),
  ];
}

/** `ln -s .git g`: what is done to `g/hooks` from now on is done to `.git/hooks`. */
function recordLinks(words: readonly Word[], cwd: Directory, world: World): void {
  const isSymbolic = words.some((word) => /^-\w*s|^--symbolic$/.test(textOf(word) ?? ''));
  const [first, second = known('.')] = words.filter((word) => !(textOf(word) ?? '').startsWith('-'));
  const target = first === undefined ? null : textOf(first);
  const given = absolutePath(second, cwd);
  if (target === null || given === null) {
    return;
  }
  const isInto = isDirectory(given) || /(?:^|\/)\.{0,2}$/.test(textOf(second) ?? '');
  const link = isInto ? join(given, basename(target)) : given;
  const from = isSymbolic ? dirname(link) : cwd.kind === 'known' ? cwd.path : '/';
  world.links.set(link, resolve(from, target));
  if (basename(link) === '.git') {
    world.gitfiles.recordLink(link, resolve(from, target));
  }
}
