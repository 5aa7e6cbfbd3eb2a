import { basename, dirname, resolve } from 'node:path';
import type { Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { type Invocation, lastSetting } from './git-command/invocation.ts';
import { known, textOf } from './git-command/words.ts';
import type { RunIntent } from './intent.ts';

/** githooks(5): those that git starts where nothing is committed, merged or pushed. Of others, the checks don't run. */
const startedAnyway = /^(?:reference-transaction|post-checkout|post-index-change)$/;

/**
 * Scripts that the line has written as hooks and hands to git: it starts them at once. With `-c core.hooksPath=DIRECTORY`
 * as the hooks of any command, with `git clone --template=DIRECTORY` as those of the new repository.
 *
 * @param name the subcommand
 * @param writtenTexts what the line has written, by absolute path
 */
export function handedHooks(
  name: string,
  invocation: Invocation,
  writtenTexts: ReadonlyMap<string, string | null>,
): readonly RunIntent[] {
  const { directory } = invocation;
  // What a hook starts has them as well, by its environment: it would be read without end.
  const settings = invocation.settings.filter(({ means }) => means.startsWith('-'));
  const setting = (key: string) => lastSetting(settings, key)?.value ?? null;
  const template = name === 'clone' ? (templateOption(invocation) ?? setting('init.templatedir')) : null;
  const places = [
    { place: setting('core.hookspath'), below: '.', by: 'git -c core.hooksPath' },
    { place: template, below: 'hooks', by: 'git clone --template' },
  ];
  return places.flatMap(({ place, below, by }) => {
    const path = place === null ? null : absolutePath(place, directory);
    const hooks = path === null ? null : resolve(path, below);
    return [...writtenTexts.keys()]
      .filter((file) => dirname(file) === hooks && startedAnyway.test(basename(file)))
      .map((file) => ({ kind: 'run', command: [known(file)], by }) as const);
  });
}

/** git-clone(1), git-init(1) "--template". */
export function templateOption({ words }: Pick<Invocation, 'words'>): Word | null {
  const at = words.findIndex((word) => textOf(word)?.startsWith('--template') === true);
  const attached = /^--template=(.*)$/s.exec(textOf(words[at]) ?? '')?.[1];
  return attached === undefined ? (at < 0 ? null : (words[at + 1] ?? null)) : known(attached);
}
