import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uninstall } from '../../src/githooks/uninstall.ts';
import { emptyRepository, git, temporaryDirectory } from '../git/fixture.ts';
import { by, installIn, run, stubPackage, tryCommit, writeHook } from './fixture.ts';

// The tools' own files are imitated here by what matters of them: where they lie, and how they start one another.

const remove = (cwd: string) => uninstall({ cwd, env: process.env, dryRun: false });
const note = (name: string) => `printf '{"by":"${name}","argv":"%s"}\\n' "$*" >> "$TRACE"\n`;

describe('beside husky', () => {
  /** What husky 9 writes: a directory of shims that read `h`, which starts `.husky/<name of $0>`. */
  function installHusky(work: string): void {
    git(work, 'config', 'core.hooksPath', '.husky/_');
    writeHook(join(work, '.husky/_/.gitignore'), '*', 0o644);
    writeHook(
      join(work, '.husky/_/h'),
      '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\nexit $?\n',
      0o644,
    );
    for (const hook of ['commit-msg', 'pre-push', 'pre-commit']) {
      writeHook(join(work, '.husky/_', hook), '#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
    }
  }

  it('its hooks still run, under their own names, and the guard too', async () => {
    const work = emptyRepository();
    installHusky(work);
    writeHook(join(work, '.husky/commit-msg'), note('husky'), 0o644);
    const { hooks, notices } = await installIn(work);
    expect(hooks[0]?.path).toBe(join(work, '.husky/_/commit-msg'));
    expect(notices.join()).toContain('"prepare": "husky && oxide-guard install"');
    expect(tryCommit(work, 'feat: fine').trace).toMatchObject([
      { by: 'husky', argv: '.git/COMMIT_EDITMSG' },
      { by: 'guard' },
    ]);
    expect(tryCommit(work, 'refused').status).toBe(1);
    expect(by(run(work, ['.husky/_/pre-push', 'origin', 'url'], {}, 'a b c d\n'))).toEqual(['guard']);
    writeHook(join(work, '.husky/commit-msg'), 'exit 9\n', 0o644);
    expect(tryCommit(work, 'feat: fine')).toMatchObject({ status: 1, trace: [] });
  });

  it('its own installation takes the guard away; ours after it brings it back', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    installHusky(work);
    await installIn(work, { packageRoot });
    installHusky(work);
    expect(tryCommit(work, 'refused').status).toBe(0);
    await installIn(work, { packageRoot });
    expect(tryCommit(work, 'refused').status).toBe(1);
    await remove(work);
    expect(readFileSync(join(work, '.husky/_/commit-msg'), 'utf8')).toBe('#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
    expect(existsSync(join(work, '.husky/_/commit-msg.before-oxide-guard'))).toBe(false);
  });

  it('installed after the guard: both directories are cleaned by uninstall', async () => {
    const work = emptyRepository();
    await installIn(work);
    installHusky(work);
    await installIn(work);
    await remove(work);
    expect(existsSync(join(work, '.git/hooks/commit-msg'))).toBe(false);
    expect(readFileSync(join(work, '.husky/_/commit-msg'), 'utf8')).toContain('/h"');
  });
});

describe('beside lefthook', () => {
  const script = `#!/bin/sh\ncall_lefthook()\n{\n  lefthook "$@"\n}\ncall_lefthook run "commit-msg" "$@"\n`;

  /** What lefthook's installation does: a hook that is not its own becomes `.old`, and does not run. */
  function installLefthook(work: string): void {
    const path = join(work, '.git/hooks/commit-msg');
    if (existsSync(path) && readFileSync(path, 'utf8') !== script) {
      renameSync(path, `${path}.old`);
    }
    writeHook(path, script);
    writeFileSync(join(work, 'lefthook.yml'), 'commit-msg: {}\n');
  }

  function withLefthook(): NodeJS.ProcessEnv {
    const bin = temporaryDirectory();
    writeHook(join(bin, 'lefthook'), `#!/bin/sh\n${note('lefthook')}`);
    return { PATH: `${bin}:${process.env.PATH}` };
  }

  it('it still runs, and the guard too', async () => {
    const work = emptyRepository();
    installLefthook(work);
    const { notices } = await installIn(work);
    expect(notices.join()).toContain('lefthook install && oxide-guard install');
    expect(tryCommit(work, 'feat: fine', withLefthook()).trace).toMatchObject([
      { by: 'lefthook', argv: 'run commit-msg .git/COMMIT_EDITMSG' },
      { by: 'guard' },
    ]);
    await remove(work);
    expect(readFileSync(join(work, '.git/hooks/commit-msg'), 'utf8')).toBe(script);
  });

  it('installed after the guard: uninstall takes our script out of its .old too', async () => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, `#!/bin/sh\n${note('own')}`);
    await installIn(work);
    installLefthook(work);
    await remove(work);
    expect(readFileSync(path, 'utf8')).toBe(script);
    expect(readFileSync(`${path}.old`, 'utf8')).toContain('"by":"own"');
    expect(existsSync(`${path}.before-oxide-guard`)).toBe(false);
  });
});

describe('beside pre-commit', () => {
  const script = `#!/usr/bin/env bash\nARGS=(hook-impl --hook-type=commit-msg)\nHERE="$(cd "$(dirname "$0")" && pwd)"\nARGS+=(--hook-dir "$HERE" -- "$@")\nexec pre-commit "\${ARGS[@]}"\n`;

  /** What `pre-commit install` does: the hook it finds becomes `.legacy`, which `hook-impl` starts first. */
  function installPreCommit(work: string): void {
    const path = join(work, '.git/hooks/commit-msg');
    if (existsSync(path) && readFileSync(path, 'utf8') !== script) {
      renameSync(path, `${path}.legacy`);
    }
    writeHook(path, script);
  }

  function withPreCommit(): NodeJS.ProcessEnv {
    const bin = temporaryDirectory();
    const program = `#!/bin/sh\ndir=$4; message=$6\n[ -x "$dir/commit-msg.legacy" ] && { "$dir/commit-msg.legacy" "$message" || exit 1; }\n${note('pre-commit')}`;
    writeHook(join(bin, 'pre-commit'), program);
    return { PATH: `${bin}:${process.env.PATH}` };
  }

  it('installed before the guard: it still runs', async () => {
    const work = emptyRepository();
    installPreCommit(work);
    await installIn(work);
    const env = withPreCommit();
    expect(by(tryCommit(work, 'feat: fine', env))).toEqual(['pre-commit', 'guard']);
    expect(tryCommit(work, 'refused', env).status).toBe(1);
    await remove(work);
    expect(readFileSync(join(work, '.git/hooks/commit-msg'), 'utf8')).toBe(script);
  });

  it('installed after the guard: it starts the guard; a second install updates it there, without a loop', async () => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, `#!/bin/sh\n${note('own')}`);
    await installIn(work);
    installPreCommit(work);
    const env = withPreCommit();
    expect(by(tryCommit(work, 'feat: fine', env))).toEqual(['own', 'guard', 'pre-commit']);
    const { hooks } = await installIn(work);
    expect(hooks[0]).toMatchObject({ path: `${path}.legacy`, change: 'updated' });
    expect(by(tryCommit(work, 'feat: fine', env))).toEqual(['own', 'guard', 'pre-commit']);
    expect(tryCommit(work, 'refused', env).status).toBe(1);
    await remove(work);
    expect(by(tryCommit(work, 'refused', env))).toEqual(['own', 'pre-commit']);
  });
});

describe('beside simple-git-hooks', () => {
  const script = '#!/bin/sh\n\nif [ "$SKIP_SIMPLE_GIT_HOOKS" = "1" ]; then\n    exit 0\nfi\n\n';

  it('its hook still runs; the hooks it deletes come back with the next install', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    writeFileSync(join(work, 'package.json'), '{"simple-git-hooks":{"commit-msg":"…"}}');
    writeHook(join(work, '.git/hooks/commit-msg'), script + note('simple-git-hooks'));
    const { notices } = await installIn(work, { packageRoot });
    expect(notices.join()).toContain('simple-git-hooks && oxide-guard install');
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['simple-git-hooks', 'guard']);
    // It writes its own hook in place and deletes the ones it was not told about.
    writeHook(join(work, '.git/hooks/commit-msg'), script + note('simple-git-hooks'));
    git(work, 'config', 'user.name', 'A');
    renameSync(join(work, '.git/hooks/pre-push'), join(temporaryDirectory(), 'deleted'));
    await installIn(work, { packageRoot });
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['simple-git-hooks', 'guard']);
    expect(existsSync(join(work, '.git/hooks/pre-push'))).toBe(true);
    await remove(work);
    expect(readFileSync(join(work, '.git/hooks/commit-msg'), 'utf8')).toBe(script + note('simple-git-hooks'));
  });
});
