import type { UnknownWord } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { anyPath } from './listed-files.ts';

/** `"repos/o/r/actions/runs/\(.id)"`: a path that jq puts together for each entry. */
const composed = /"([^"\\]*)\\\([^"]*"$/;
/** A listing of something that a repository has: `repos/o/r/git/matching-refs/heads/x`. */
const listing = /^\/?(repos\/[\w.-]+\/[\w.-]+\/[\w-]+)\//;

/**
 * What `gh api PATH --jq '.[].url'` prints: addresses of what lies beside the listing that it reads, a line each.
 *
 * @param args what follows the program's name
 * @returns null where nothing is known of its output
 */
export function listedAddresses(args: readonly string[], source: string): UnknownWord | null {
  const [command, path = ''] = args.filter((arg) => !arg.startsWith('-'));
  const at = args.findIndex((arg) => /^(?:-q|--jq)$/.test(arg));
  const filter = args[at + 1]?.trim() ?? '';
  if (command !== 'api' || at < 0) {
    return null;
  }
  const own = composed.exec(filter)?.[1] ?? '';
  const [, kind] = /\.url$/.test(filter) ? (listing.exec(`${path}/`) ?? []) : [];
  const prefix = kind === undefined ? own : `https://api.github.com/${kind}/`;
  return prefix === ''
    ? null
    : { ...unknownWord(source, 'the output of gh is not known'), prefix, suffix: '\n', fits: anyPath, whenNothing: '' };
}
