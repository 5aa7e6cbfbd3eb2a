import { dirname, resolve } from 'node:path';
import { readText } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import { Git } from '../git/runner.ts';
import { parseList } from '../git/settings/configuration.ts';
import { absolutePath } from './files/absolute-path.ts';
import type { Invocation } from './git-command/invocation.ts';
import { known, textOf } from './git-command/words.ts';
import type { ConfigureIntent, Intent } from './intent.ts';
import type { World } from './world.ts';
import { isInclude } from './written-includes.ts';

/** Files that include each other are followed so far: git stops after ten. */
const maximumDepth = 10;

/** `git config --file`: what the file holds from now on, should git be told to read it. */
export function recordSettings(intents: readonly Intent[], { directory }: Invocation, world: World): void {
  for (const intent of intents) {
    if (intent.kind === 'write-files' && intent.sets !== undefined) {
      const path = intent.paths[0] === undefined ? null : absolutePath(intent.paths[0], directory);
      if (path !== null) {
        world.writtenTexts.set(path, textAfter(textOfFile(path, world) ?? '', intent.sets));
      }
    }
  }
}

/** Null where something is removed, or not known. What is set once more counts as well as what takes another's place. */
function textAfter(before: string, sets: readonly Intent[]): string | null {
  const added = sets.map((intent) => (intent.kind === 'configure' ? variable(intent) : null));
  return added.includes(null) ? null : [before, ...added].join('\n');
}

/** git-config(1) "Syntax". */
function variable({ key, value }: ConfigureIntent): string | null {
  const [, section, subsection, name] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/s.exec(textOf(key) ?? '') ?? [];
  const text = textOf(value);
  const quoted = (part: string) => `"${part.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  return section === undefined || text === null
    ? null
    : `[${section}${subsection === undefined ? '' : ` ${quoted(subsection)}`}]\n${name} = ${quoted(text)}`;
}

/** Where git reads its configuration. */
export type ConfiguredPlace = Pick<Repository, 'commonDir' | 'workTree'> & {
  readonly git: Pick<Repository['git'], 'run'>;
  readonly isAnywhere?: true;
};

/** What git reads outside of any repository. */
export function anywhere({ env }: World): ConfiguredPlace {
  return { commonDir: env.HOME ?? '/', workTree: null, git: new Git({ cwd: '/', env }), isAnywhere: true };
}

/**
 * The intents with what they come to by includes: settings of a file that git is told to include, and those that
 * `git config --file` changes in a file that it includes.
 */
export async function withIncluded(
  intents: readonly Intent[],
  invocation: Invocation,
  repository: ConfiguredPlace,
  world: World,
): Promise<readonly Intent[]> {
  const found: Intent[] = [];
  for (const intent of intents) {
    if (intent.kind === 'write-files' && intent.sets !== undefined) {
      const path = intent.paths[0] === undefined ? null : absolutePath(intent.paths[0], invocation.directory);
      const isIncluded = path !== null && world.isIncluded(path, repository.workTree);
      found.push(...(isIncluded ? intent.sets.map((one) => (repository.isAnywhere ? forGood(one) : one)) : [intent]));
    } else {
      found.push(intent);
    }
  }
  const included = found.map((intent) =>
    intent.kind === 'configure' ? settingsOf(intent, repository.commonDir, { repository, world }) : [],
  );
  return [...found, ...(await Promise.all(included)).flat()];
}

function forGood(intent: Intent): Intent {
  return intent.kind === 'configure' ? { ...intent, scope: 'global' } : intent;
}

/** What a setting brings along that includes a file. @param base what a path is relative to */
async function settingsOf(
  { key, value, scope }: Pick<ConfigureIntent, 'key' | 'value' | 'scope'>,
  base: string,
  { repository, world }: { readonly repository: ConfiguredPlace; readonly world: World },
  depth = 0,
): Promise<readonly Intent[]> {
  const named = isInclude(key) ? textOf(value) : null;
  if (named === null || named === '' || depth === maximumDepth) {
    return [];
  }
  const path = resolve(base, named.replace(/^~(?=\/)/, world.env.HOME ?? '/'));
  world.includes.add(path);
  const text = textOfFile(path, world);
  if (text === null) {
    return [];
  }
  const output = await repository.git.run(['config', '--no-includes', '--file', '-', '--list', '-z'], {
    input: text,
    pinSettings: false,
  });
  const found = parseList(output.stdout.toString('utf8')).map(
    (entry): ConfigureIntent => ({
      kind: 'configure',
      key: known(entry.key),
      value: known(entry.value ?? 'true'),
      adds: true,
      scope,
    }),
  );
  const below = found.map((setting) => settingsOf(setting, dirname(path), { repository, world }, depth + 1));
  return [...found, ...(await Promise.all(below)).flat()];
}

/** As the line leaves it. */
function textOfFile(path: string, { writtenTexts }: World): string | null {
  const written = writtenTexts.get(path);
  return written === undefined ? readText(path) : written;
}
