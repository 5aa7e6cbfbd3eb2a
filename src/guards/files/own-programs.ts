import { dirname, resolve } from 'node:path';
import { readText } from '../../git/files.ts';
import { agentSettingsIn } from './agent-hooks.ts';

/** A hook's program in an agent's settings, as a word with or without quotes; in JSON a quotation mark has a stroke. */
const namedProgram = /'(\/[^'\n]*\bhook\/agent\.cjs)'|(\/[^\s"'\\]*\bhook\/agent\.cjs)/g;

/**
 * The directories with the programs that agents start as the guard's hook in a work tree, wherever the guard was
 * installed from: a checkout, the prefix of a package manager.
 */
export function ownPrograms(workTree: string): readonly string[] {
  const found = agentSettingsIn(workTree).flatMap((path) =>
    Array.from((readText(path) ?? '').matchAll(namedProgram), ([, quoted, plain]) =>
      dirname(resolve(quoted ?? plain ?? '/')),
    ),
  );
  return [...new Set(found)];
}
