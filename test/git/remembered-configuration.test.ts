import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverRepository } from '../../src/git/discovery.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { type Environment, gitProcessesStarted } from '../../src/git/runner.ts';
import { rememberedConfiguration } from '../../src/git/settings/remembered-configuration.ts';
import { git, repositoryWithCommit, temporaryDirectory, write } from './fixture.ts';

/** A repository whose configuration nobody has touched for a while, with a home of its own. */
function settledRepository(configuration: readonly string[] = []) {
  const work = repositoryWithCommit();
  const home = temporaryDirectory();
  const { GIT_CONFIG_GLOBAL: _, ...rest } = process.env;
  const env: Environment = { ...rest, HOME: home };
  writeFileSync(join(home, '.gitconfig'), '[probe]\n\tkey = home\n');
  for (const line of configuration) {
    git(work, 'config', ...line.split(' '));
  }
  return { work, home, env, later: Date.now() + 60_000 };
}

/** Milliseconds. */
function changedLast({ home }: ReturnType<typeof settledRepository>): number {
  const { mtimeMs, ctimeMs } = statSync(join(home, '.gitconfig'));
  return Math.max(mtimeMs, ctimeMs);
}

async function memoryOf(work: string, env: Environment, now: number) {
  const context = { cwd: work, env };
  const location = await discoverRepository(context);
  if (location === null) {
    throw new Error(`no repository at ${work}`);
  }
  return rememberedConfiguration(context, location, now);
}

const origins = (work: string, home: string) =>
  new Set(['file:.git/config', `file:${home}/.gitconfig`, `file:${work}/x`]);
const entries = [{ key: 'probe.key', value: 'home', scope: 'global' }] as const;

async function remember({ work, home, env, later }: ReturnType<typeof settledRepository>): Promise<void> {
  (await memoryOf(work, env, later))?.keep(entries, origins(work, home));
}

async function recalled({ work, env, later }: ReturnType<typeof settledRepository>, now = later) {
  return (await memoryOf(work, env, now))?.recall() ?? null;
}

describe('a configuration that was read', () => {
  it('is remembered while its files are the same', async () => {
    const place = settledRepository();
    await remember(place);
    expect(await recalled(place)).toEqual(entries);
  });

  const changes: Record<string, (place: ReturnType<typeof settledRepository>) => void> = {
    'the repository’s file is changed': ({ work }) => git(work, 'config', 'push.default', 'upstream'),
    'it is changed behind the back of its times': ({ work }) => {
      const path = join(work, '.git/config');
      const { atime, mtime } = statSync(path);
      writeFileSync(path, readFileSync(path, 'utf8').replace('true', 'TRUE'));
      utimesSync(path, atime, mtime);
    },
    'the home directory’s file is removed': ({ home }) => rmSync(join(home, '.gitconfig')),
    'a file appears where git looks for one': ({ home }) => {
      mkdirSync(join(home, '.config/git'), { recursive: true });
      writeFileSync(join(home, '.config/git/config'), '[push]\n\tdefault = upstream\n');
    },
    'the worktree gets a file of its own': ({ work }) => write(work, '.git/config.worktree', ''),
  };
  it.each(Object.entries(changes))('is forgotten when %s', async (_, change) => {
    const place = settledRepository();
    await remember(place);
    change(place);
    expect(await recalled(place)).toBeNull();
  });

  it('is forgotten after an hour, in another home, and by another git', async () => {
    const place = settledRepository();
    await remember(place);
    expect(await recalled(place, place.later + 61 * 60_000)).toBeNull();
    expect(await recalled({ ...place, env: { ...place.env, HOME: temporaryDirectory() } })).toBeNull();
    const bin = temporaryDirectory();
    writeFileSync(join(bin, 'git'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await recalled({ ...place, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } })).toBeNull();
  });

  it('is remembered where the home directory is a file: below it there is nothing', async () => {
    const place = settledRepository();
    rmSync(place.home, { recursive: true });
    writeFileSync(place.home, '');
    (await memoryOf(place.work, place.env, place.later))?.keep(entries, new Set(['file:.git/config']));
    expect(await recalled(place)).toEqual(entries);
  });

  it('is not kept while its files are fresh', async () => {
    const place = settledRepository();
    await remember({ ...place, later: changedLast(place) + 50 });
    expect(await recalled(place)).toBeNull();
  });

  it('is not kept for longer where the times of its files are coarse', async () => {
    const place = settledRepository();
    const wholeSecond = Math.ceil(changedLast(place) / 1000);
    utimesSync(join(place.home, '.gitconfig'), wholeSecond, wholeSecond);
    await remember({ ...place, later: wholeSecond * 1000 + 1500 });
    expect(await recalled(place)).toBeNull();
    await remember({ ...place, later: wholeSecond * 1000 + 2500 });
    expect(await recalled(place)).toEqual(entries);
  });

  it.each(['include.path', 'includeif.gitdir:/x.path', 'http.https://example.com.extraheader'])(
    'is not kept where it holds %s',
    async (key) => {
      const { work, home, env, later } = settledRepository();
      const memory = await memoryOf(work, env, later);
      memory?.keep([{ key, value: 'x', scope: 'global' }], origins(work, home));
      expect(memory?.recall()).toBeNull();
    },
  );

  it('is neither kept nor recalled where more than files decides', async () => {
    const { work, env, later } = settledRepository();
    for (const more of [
      { GIT_CONFIG_COUNT: '0' },
      { GIT_CONFIG_PARAMETERS: "'push.default'='upstream'" },
      { GIT_CONFIG_GLOBAL: 'relative' },
    ]) {
      expect(await memoryOf(work, { ...env, ...more }, later)).toBeNull();
    }
  });

  it('is read anew when what was kept is damaged', async () => {
    const place = settledRepository();
    await remember(place);
    write(place.work, '.git/oxide-guard/git-configuration.json', '{');
    expect(await recalled(place)).toBeNull();
  });

  it('saves the process', async () => {
    const { work, env } = settledRepository(['probe.local here']);
    const before = new Date(Date.now() - 10_000);
    utimesSync(join(work, '.git/config'), before, before);
    const read = async () => (await (await openRepository({ cwd: work, env }))?.config())?.entries;
    // The change time, which nobody can set back, has to grow old.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const first = await read();
    const started = gitProcessesStarted();
    expect(await read()).toEqual(first);
    expect(gitProcessesStarted()).toBe(started);
    expect(first?.find(({ key }) => key === 'probe.key')?.value).toBe('home');
  });
});
