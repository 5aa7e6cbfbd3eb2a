import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CAC } from 'cac';
import type { Configuration } from '../config/configuration.ts';
import { configurationFileNames, findConfiguration } from '../config/load.ts';
import { jsonSchema } from '../config/schema.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Console } from '../ui/console.ts';
import type { Command } from './command.ts';
import { repositoryConfiguration, rootOf } from './repository-configuration.ts';
import { shownPath } from './shown-path.ts';

const schemaLocation = './node_modules/oxide-guard/schema/oxide-guard.schema.json';

const actions = ['init', 'print', 'schema'];

export const config: Command = {
  actions,
  register(cli, console) {
    cli
      .command('config [action]', 'init: write a configuration; print: the one in force; schema: its JSON Schema')
      .usage(`config [${actions.join(' | ')}]`)
      .option('--json', 'Print one JSON document; print and schema do so without it')
      .action((action: string | undefined, options: { json?: boolean }) =>
        act(action ?? 'print', options.json === true, console, cli),
      );
  },
};

async function act(action: string, json: boolean, console: Console, cli: CAC): Promise<ExitCode> {
  switch (action) {
    case 'init':
      return initialize(json, console);
    case 'print':
      console.out(JSON.stringify(await configurationHere(), null, 2));
      return ExitCode.fine;
    case 'schema':
      console.out(JSON.stringify(jsonSchema(), null, 2));
      return ExitCode.fine;
    default:
      throw new OxideError('usage', `'${action}' is none of ${actions.join(', ')}.`, {
        remedy: `${cli.name} config --help`,
        exitCode: ExitCode.usage,
      });
  }
}

/** The configuration in force where the command stands; the defaults outside of a repository. */
async function configurationHere(): Promise<Configuration> {
  return repositoryConfiguration(await openRepository());
}

/** Writes a configuration that changes nothing yet, and never over one that is there. */
async function initialize(json: boolean, console: Console): Promise<ExitCode> {
  const repository = await openRepository();
  const root = repository === null ? process.cwd() : rootOf(repository);
  const existing = findConfiguration(root);
  if (existing !== null) {
    throw new OxideError('configuration-exists', `${existing.path} holds a configuration already.`, {
      remedy: 'oxide-guard config print',
      exitCode: ExitCode.usage,
    });
  }
  const path = join(root, configurationFileNames[0]);
  const schema = existsSync(join(root, schemaLocation)) ? { $schema: schemaLocation } : {};
  const content = { ...schema, protectedBranches: [], rules: {} };
  writeNewFile(path, `${JSON.stringify(content, null, 2)}\n`);
  console.out(json ? JSON.stringify({ path, content }) : `wrote ${shownPath(path)}`);
  return ExitCode.fine;
}

/** Never over a file that is there; half a configuration, which every hook would refuse, does not stay. */
function writeNewFile(path: string, content: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, content);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
