import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import picocolors from 'picocolors';
import { ExitCode, OxideError } from '../errors.ts';
import { captureGitCommand } from '../git/command.ts';
import type { Environment } from '../git/runner.ts';
import { install } from '../githooks/install.ts';
import { packageRoot } from '../githooks/package-place.ts';
import { pasteable } from '../own-command.ts';
import { quoteCommand } from '../quote.ts';
import type { Console } from '../ui/console.ts';
import type { Command } from './command.ts';

export const demo: Command = {
  register(cli, console) {
    cli
      .command('demo', 'See the guard at work on a throw-away repository: no network, no key')
      .option('--keep', 'leave the repository in place and say where it is')
      .option('--json', 'one document: the scenes with their lines, and where the repository is')
      .action(({ keep = false, json = false }: { keep?: boolean; json?: boolean }) =>
        runDemo(keep, json ? new RecordedPlay(console) : new LivePlay(console)),
      );
  },
};

/** Who is told what happens. */
interface Audience {
  readonly console: Console;
  scene(title: string): void;
  /** @param repository where it is kept; null: it is gone again */
  end(repository: string | null): void;
}

/** Watches as it happens. */
class LivePlay implements Audience {
  readonly console: Console;
  #scenes = 0;

  constructor(console: Console) {
    this.console = console;
  }

  scene(title: string): void {
    this.#scenes += 1;
    this.console.out(`\n${this.console.colors.bold(`${this.#scenes}. ${title}`)}`);
  }

  end(repository: string | null): void {
    this.console.out('');
    this.console.out(
      repository === null
        ? pasteable('The repository is gone again. In your own: oxide-guard install')
        : `The repository is kept: ${repository}`,
    );
  }
}

/** Reads one document when all is over. */
class RecordedPlay implements Audience {
  readonly console: Console;
  readonly #scenes: { readonly title: string; readonly lines: string[] }[] = [{ title: 'The repository', lines: [] }];
  readonly #out: Console;

  constructor(console: Console) {
    this.#out = console;
    const out = (text: string) => this.#scenes.at(-1)?.lines.push(...text.split('\n'));
    this.console = { out, err: out, colors: picocolors.createColors(false) };
  }

  scene(title: string): void {
    this.#scenes.push({ title, lines: [] });
  }

  end(repository: string | null): void {
    this.#out.out(JSON.stringify({ scenes: this.#scenes, repository }));
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function runDemo(keep: boolean, audience: Audience): Promise<ExitCode> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-demo-')));
  // What it has started may still be writing there.
  const remove = () => keep || rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  const interrupts = endingSignals.map((signal) => {
    const end = () => {
      remove();
      process.kill(process.pid, signal);
    };
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  // Also where nobody reads on, or what is read can't be written: the process ends there.
  process.once('exit', remove);
  try {
    await play(new Stage(place, audience));
    audience.end(keep ? join(place, 'work') : null);
    return ExitCode.fine;
  } finally {
    for (const forget of interrupts) {
      forget();
    }
    process.off('exit', remove);
    remove();
  }
}

/** A repository with a bare remote, and somebody who works in it and tells what happens. */
class Stage {
  readonly work: string;
  readonly remote: string;
  readonly #audience: Audience;
  readonly #console: Console;
  readonly #env: Environment;

  constructor(place: string, audience: Audience) {
    const { console } = audience;
    this.work = join(place, 'work');
    this.remote = join(place, 'remote.git');
    this.#audience = audience;
    this.#console = console;
    this.#env = { ...stageEnvironment(place), ...(console.colors.isColorSupported ? { FORCE_COLOR: '1' } : {}) };
  }

  get env(): Environment {
    return this.#env;
  }

  scene(title: string): void {
    this.#audience.scene(title);
  }

  say(text: string): void {
    this.#console.out(text);
  }

  /** Runs git before the audience. */
  async show(...args: readonly string[]): Promise<number> {
    this.#console.out(this.#console.colors.cyan(`$ ${quoteCommand(['git', ...args])}`));
    const { exitCode, output } = await captureGitCommand(args, { cwd: this.work, env: this.#env });
    for (const line of output.trimEnd().split('\n').filter(isWorthShowing)) {
      this.#console.out(`  ${line}`);
    }
    return exitCode;
  }

  /** Has the guarded agent work before the audience. */
  async playAgent(): Promise<void> {
    const { playAgent } = await import('./demo-agent.ts');
    await playAgent(this.work, dirname(this.work), this.#env, this.#console);
  }

  /** Runs git behind the curtain; what fails there ends the play. */
  async prepare(cwd: string, ...args: readonly string[]): Promise<void> {
    const { exitCode, output } = await captureGitCommand(args, { cwd, env: this.#env });
    if (exitCode !== 0) {
      throw new OxideError('demo-failed', `The demo could not prepare its repository: ${output.trim()}`, {
        remedy: quoteCommand(['git', ...args]),
      });
    }
  }
}

/** git's own lines about its internals would only hide what the guard says. */
function isWorthShowing(line: string): boolean {
  return line !== '' && !/^(hint:|error: failed to push|Total |To |remote: )/.test(line);
}

/** A git that knows nothing of this machine's configuration, and no terminal prompt. */
function stageEnvironment(place: string): Environment {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.com' };
  const identity = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    ),
  );
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return {
    ...inherited,
    ...identity,
    HOME: place,
    XDG_CONFIG_HOME: place,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

async function play(stage: Stage): Promise<void> {
  await buildRepository(stage);

  stage.scene('A message that breaks the convention is refused, explained and kept');
  await stage.show('commit', '--allow-empty', '-m', 'Added totals.');

  stage.scene('A good one is accepted');
  await stage.show('commit', '--allow-empty', '-m', 'feat(report): add totals');

  stage.scene('A force push to main is refused, with the commits that it would have dropped');
  await stage.prepare(stage.work, 'reset', '--quiet', '--hard', 'HEAD~2');
  await stage.prepare(stage.work, 'commit', '--quiet', '--allow-empty', '-m', 'feat: start again');
  await stage.show('push', '--force', 'origin', 'main');

  stage.scene('Local and remote have diverged: the push that git will refuse says how');
  await stage.show('push', 'origin', 'main');

  stage.scene('A topic branch goes through; what is not committed is named');
  await stage.prepare(stage.work, 'switch', '--quiet', '--create', 'totals', 'origin/main');
  await stage.prepare(stage.work, 'commit', '--quiet', '--allow-empty', '-m', 'feat(report): add totals');
  writeFileSync(join(stage.work, 'notes.txt'), 'to do\n');
  await stage.show('push', '--set-upstream', 'origin', 'totals');

  stage.scene('A coding agent (a replayed one) tries the same by an alias, is denied, and does it right');
  await stage.prepare(stage.work, 'switch', '--quiet', 'main');
  await stage.prepare(stage.work, 'config', 'alias.publish', 'push --force origin main');
  await stage.playAgent();
}

async function buildRepository(stage: Stage): Promise<void> {
  mkdirSync(stage.work);
  await stage.prepare(stage.work, 'init', '--quiet', '--bare', '--initial-branch=main', stage.remote);
  await stage.prepare(stage.work, 'init', '--quiet', '--initial-branch=main');
  for (const message of ['feat: begin', 'feat(report): read the ledger', 'fix(report): round half up']) {
    await stage.prepare(stage.work, 'commit', '--quiet', '--allow-empty', '-m', message);
  }
  await stage.prepare(stage.work, 'remote', 'add', 'origin', stage.remote);
  await stage.prepare(stage.work, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  await stage.prepare(stage.work, 'remote', 'set-head', 'origin', 'main');
  stage.say('A throw-away repository with a bare remote. `oxide-guard install` gives it its hooks:');
  const { hooks } = await install({
    cwd: stage.work,
    env: stage.env,
    hooks: null,
    server: false,
    dryRun: false,
    node: process.execPath,
    packageRoot: packageRoot(),
  });
  for (const { hook } of hooks) {
    stage.say(`  ✓ ${hook}`);
  }
}
