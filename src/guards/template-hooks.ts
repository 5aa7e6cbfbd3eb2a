import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { namesIn } from '../git/files.ts';
import { absolutePath } from './files/absolute-path.ts';
import { type Invocation, lastSetting } from './git-command/invocation.ts';
import { known, textOf } from './git-command/words.ts';
import { templateOption } from './handed-hooks.ts';
import type { Intent } from './intent.ts';
import type { PlaceInRepository } from './place.ts';

type Texts = ReadonlyMap<string, string | null>;

/** Names of the hooks in a template, as the line leaves it: gitrepository-layout(5). @param template absolute */
export function hooksInTemplate(template: string, writtenTexts: Texts): readonly string[] {
  const directory = join(template, 'hooks');
  const written = [...writtenTexts.keys()].filter((path) => dirname(path) === directory).map((path) => basename(path));
  return [...new Set([...namesIn(directory), ...written])].filter((name) => !name.endsWith('.sample'));
}

/**
 * `git init --template=DIRECTORY` in a repository that is there: git-init(1) "TEMPLATE DIRECTORY" has files come from it
 * that the repository lacks, hooks as well.
 *
 * @param variable GIT_TEMPLATE_DIR as the call is given it
 */
export function templatedHooks(
  { words, settings, directory }: Invocation,
  variable: string | null,
  { repository, likely }: PlaceInRepository,
  writtenTexts: Texts,
): readonly Intent[] {
  const [operand] = words.slice(1).filter((word) => !(textOf(word) ?? '').startsWith('-'));
  const ofLine = likely.settings.findLast(({ key }) => key === 'init.templatedir')?.value ?? null;
  const given =
    templateOption({ words }) ??
    (variable === null ? null : known(variable)) ??
    lastSetting(settings, 'init.templatedir')?.value ??
    (ofLine === null ? null : known(ofLine));
  const template = given === null ? null : absolutePath(given, directory);
  const isHere = operand === undefined || operand === given || textOf(operand) === '.';
  if (template === null || !isHere) {
    return [];
  }
  const hooks = resolve(repository.commonDir, 'hooks');
  const added = hooksInTemplate(template, writtenTexts).map((name) => join(hooks, name));
  const paths = added.filter((path) => !existsSync(path)).map(known);
  return paths.length === 0 ? [] : [{ kind: 'write-files', paths, means: 'git init --template' }];
}
