import {
  type GitContext,
  type GitOutput,
  keepRunning,
  type RunningAnswers,
  type RunningGit,
  type RunOptions,
} from '../runner.ts';

/** Milliseconds after the last answer until git is let go. */
const idle = 1000;
/** Milliseconds: a search for a message in a long history takes its time. */
const timeout = 60_000;

/**
 * `git cat-file --batch-check`, kept running for a moment: git-cat-file(1) answers each line as it comes, so the next
 * question costs a line instead of a process. It looks for refs and objects anew for every line; its settings are those
 * that it was started with. For programs that ask for long: a hook asks once.
 */
export class ObjectQuestions implements RunningAnswers {
  /** Where the first question was asked: it answers for no other place, environment or settings. */
  #context: GitContext | undefined;
  #git: RunningGit | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #lettingGo: NodeJS.Timeout | undefined;

  /** @returns null, too, where git gives up, as it does on some revisions: it must be asked by itself */
  answer(args: readonly string[], { input }: RunOptions, context: GitContext): Promise<GitOutput | null> | null {
    const isOfObjects = args.join(' ') === 'cat-file --batch-check' && typeof input === 'string';
    // git gives up where there is no upstream, or no such entry in the log.
    if (!isOfObjects || input.includes('@{')) {
      return null;
    }
    this.#context ??= context;
    if (context !== this.#context) {
      return null;
    }
    const answer = this.#last.then(() => this.#ask(input, context));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(input: string, context: GitContext): Promise<GitOutput | null> {
    clearTimeout(this.#lettingGo);
    const git = this.#running(context);
    holdProcess(git, true);
    const answer = await answerTo(input, git);
    holdProcess(git, false);
    if (answer === null) {
      this.#letGo(git);
      return null;
    }
    this.#lettingGo = setTimeout(() => this.#letGo(git), idle).unref();
    return { exitCode: 0, stdout: Buffer.from(answer), stderr: '' };
  }

  #running(context: GitContext): RunningGit {
    const known = this.#git;
    if (known !== null && known.exitCode === null && known.signalCode === null) {
      return known;
    }
    const git = keepRunning(context, ['cat-file', '--batch-check']);
    // That it is gone is seen from its end.
    for (const part of [git, git.stdin, git.stdout]) {
      part.on('error', () => undefined);
    }
    git.stdout.setEncoding('utf8');
    this.#git = git;
    return git;
  }

  #letGo(git: RunningGit): void {
    this.#git = null;
    git.kill();
  }
}

/** Does this program wait for git before it ends? */
function holdProcess(git: RunningGit, isHeld: boolean): void {
  for (const part of [git, git.stdin, git.stdout]) {
    if (isHeld) {
      part.ref();
    } else {
      part.unref();
    }
  }
}

/** As many lines as there are in the input; null where git ends before, or takes too long. */
function answerTo(input: string, git: RunningGit): Promise<string | null> {
  return new Promise((resolve) => {
    const wanted = input.split('\n').length;
    let answer = '';
    const take = (chunk: string) => {
      answer += chunk;
      if (answer.split('\n').length >= wanted) {
        end(answer);
      }
    };
    const giveUp = () => end(null);
    const end = (result: string | null) => {
      clearTimeout(timer);
      git.stdout.off('data', take);
      git.off('error', giveUp);
      git.off('close', giveUp);
      resolve(result);
    };
    const timer = setTimeout(giveUp, timeout);
    git.on('error', giveUp);
    git.on('close', giveUp);
    git.stdout.on('data', take);
    git.stdin.write(input);
  });
}
