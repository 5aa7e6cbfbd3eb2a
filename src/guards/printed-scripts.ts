import { readBlobs } from '../git/contents/blobs.ts';
import { quoteWord } from '../quote.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { programName, type SimpleCommand, type Step, type Unreadable } from '../shell/simple-command.ts';
import { readInvocation } from './git-command/invocation.ts';
import { textsOf } from './git-command/words.ts';
import { inEnvironmentOf } from './run-steps.ts';
import { type Blob, printedBlob } from './simulation/answers/git-queries.ts';
import { revisionAnswer } from './simulation/answers/revision-queries.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { World } from './world.ts';
import { filesAfter } from './written-files.ts';

/**
 * What a script would do that a shell reads from the repository: `git show HEAD:setup.sh | bash`. A blob can be read as
 * well as a file. Null where it is another output, or what the line does itself may change what git prints.
 */
export async function stepsOfPrintedScript(step: Unreadable, world: World): Promise<readonly Step[] | null> {
  const { printed, cwd, origin } = step;
  const place = printed === undefined || cwd.kind !== 'known' ? null : blobOf(printed.by, world);
  const text = place === null ? null : await textOfBlob(place, printed?.by ?? null, world);
  const source = text === null ? null : asCommand(step, text);
  if (text === null || source === null || cwd.kind !== 'known') {
    return null;
  }
  const { writtenTexts, env } = world;
  const file = printed?.file ?? null;
  const files = filesAfter(file === null ? writtenTexts : new Map(writtenTexts).set(file, text));
  const { steps, truncated } = readCommandLine(source, { cwd: cwd.path, env, files, path: origin.path });
  return truncated === null ? inEnvironmentOf(step, steps) : null;
}

function blobOf(command: SimpleCommand, world: World): Blob | null {
  if (programName(command.argv[0]) !== 'git') {
    return null;
  }
  const { words } = readInvocation(command.argv.slice(1), command.cwd, (name) => world.variable(command, name));
  return printedBlob(textsOf(words) ?? []);
}

async function textOfBlob({ revision, path }: Blob, command: SimpleCommand | null, world: World) {
  if (command === null) {
    return null;
  }
  const invocation = readInvocation(command.argv.slice(1), command.cwd, (name) => world.variable(command, name));
  const place = await world.places.of(invocation, command);
  if (place.kind !== 'repository') {
    return null;
  }
  const { repository, changes } = place;
  const overlays = await changes.before(command.origin, false);
  const answers = await Promise.all(
    overlays.map((overlay) =>
      revisionAnswer(['rev-parse', revision], overlay, repository, overlaid(repository, overlay)),
    ),
  );
  const [commit = null] = answers;
  if (commit === null || answers.some((answer) => answer !== commit)) {
    return null;
  }
  const [text = null] = await readBlobs([`${commit}:${path}`], repository.git);
  // What is not there is not printed.
  return text ?? '';
}

/** The command that reads the script, with the script in its place; null where its other words are not known. */
function asCommand({ argv, printed }: Unreadable, text: string): string | null {
  const words = argv.map((word) =>
    word.kind === 'known'
      ? quoteWord(word.value)
      : word.printedBy !== undefined && word.printedBy.origin === printed?.by.origin
        ? quoteWord(text.replace(/\n+$/, ''))
        : null,
  );
  const isInput = printed?.file === null && argv.every(({ kind }) => kind === 'known');
  return words.includes(null) ? null : `${words.join(' ')}${isInput ? ` <<< ${quoteWord(text)}` : ''}`;
}
