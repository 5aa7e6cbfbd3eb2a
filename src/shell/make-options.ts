import type { Call } from './call.ts';
import { splitWords } from './make-expansion.ts';

/** The command line of make (GNU make manual "Options Summary"). */
export interface MakeOptions {
  readonly directory: string | null;
  readonly file: string | null;
  readonly targets: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  readonly dryRun: boolean;
  /** `-e`: what the environment says counts more than what the makefile says. */
  readonly environmentWins: boolean;
  /** `--eval=TEXT`: lines of a makefile that are read before all others. */
  readonly evaluated: string;
}

/** @param flags what the variable MAKEFLAGS says: options and variables, as on the command line */
export function readMakeOptions(call: Call, flags: string): MakeOptions {
  let directory: string | null = '.';
  let file: string | null = null;
  const targets: string[] = [];
  const variables = new Map<string, string>();
  const given = call.argv.slice(1).map((word) => (word.kind === 'known' ? word.value : null));
  const words = [...optionsIn(flags), ...given];
  for (let index = 0; index < words.length; index += 1) {
    const text = words[index] ?? '';
    const [, option, attached] =
      /^(-[bBdeiknpqrRsStvw]*[Cf]|--(?:directory|file|makefile))(?:=?(.+))?$/.exec(text) ?? [];
    const assignment = /^(\w+)[:?]?=([\s\S]*)$/.exec(text);
    if (option !== undefined) {
      const value = attached ?? words[index + 1] ?? null;
      index += attached === undefined ? 1 : 0;
      directory = /C$|directory/.test(option) ? value : directory;
      file = /f$|file/.test(option) ? value : file;
    } else if (assignment !== null) {
      variables.set(assignment[1] ?? '', assignment[2] ?? '');
    } else if (!text.startsWith('-') && text !== '') {
      targets.push(text);
    }
  }
  const has = (option: RegExp) => words.some((text) => option.test(text ?? ''));
  return {
    directory,
    file,
    targets,
    variables,
    dryRun: has(/^-[bBdeikpqrRsStvw]*n|^--(?:dry-run|just-print|recon)$/),
    environmentWins: has(/^-[bBdiknpqrRsStvw]*e|^--environment-overrides$/),
    evaluated: words
      .map((text) => /^(?:--eval=|-E)([\s\S]+)$/.exec(text ?? '')?.[1] ?? '')
      .join('\n')
      .trim(),
  };
}

/** In MAKEFLAGS the first word may be letters without a dash (GNU make manual "Communicating Options to a Sub-make"). */
function optionsIn(flags: string): readonly string[] {
  return splitWords(flags).map((word, index) => (index === 0 && /^[a-zA-Z]+$/.test(word) ? `-${word}` : word));
}
