import { quoteCommand } from '../quote.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { exampleVersion, versionIn } from '../shell/tasks/release-tools.ts';
import type { Correction, Finding } from './finding.ts';
import { pasted, textsOf } from './git-command/words.ts';
import { near } from './wording.ts';

/**
 * Findings about the message of a commit that a call makes by another program (`npm version -m TEXT`, an alias that does
 * more than to commit), or about a variable that skips its checks (`HUSKY=0 npm version patch`). The commit alone would not
 * do what the call does, so the call itself is proposed.
 *
 * @param callers each one started by the one before
 * @param found of the commit
 * @param start where the line begins; absolute
 */
export function proposingCall(
  callers: readonly SimpleCommand[],
  found: readonly Finding[],
  start: string,
): readonly Finding[] {
  // The call would skip the checks as before.
  const isOnlyMessage = found.every(({ rule, verdict }) => rule === 'commit-message' || verdict === 'allow');
  const isOnlyVariable = found.every(({ variable, verdict }) => variable !== undefined || verdict === 'allow');
  if (callers.length === 0 || !(isOnlyMessage || isOnlyVariable)) {
    return found;
  }
  return found.map((finding) =>
    isOnlyMessage ? proposing(callers, finding, start) : withoutVariable(callers, finding, start),
  );
}

/** The outermost call that has the variable, without it. */
function withoutVariable(callers: readonly SimpleCommand[], finding: Finding, start: string): Finding {
  const { variable } = finding;
  const caller = callers.find(({ env }) => variable !== undefined && env.has(variable));
  const isHere = caller?.cwd.kind === 'known' && caller.cwd.path === start;
  return caller !== undefined && isHere ? { ...finding, suggestion: asGiven(caller, variable ?? '') } : finding;
}

/** With what starts it: `npx lerna version`. */
function asGiven({ argv, origin }: SimpleCommand, variable: string): string {
  const call = argv.map(pasted).join(' ');
  const written = origin.source.replace(/^(?:\w+=\S*\s+)+/, '');
  return written.endsWith(` ${call}`) && !written.includes(`${variable}=`) ? written : call;
}

function proposing(callers: readonly SimpleCommand[], finding: Finding, start: string): Finding {
  const { correction, suggestion } = finding;
  if (correction === undefined || suggestion === null) {
    return finding;
  }
  const [call] = callers.flatMap((caller) => correctedCall(caller, correction, start) ?? []);
  const [, comment = ''] = /( {3}# .*)$/.exec(suggestion) ?? [];
  return call === undefined ? finding : { ...finding, suggestion: call + comment };
}

/** Null: the message stands in none of its words. */
function correctedCall({ argv, cwd }: SimpleCommand, correction: Correction, start: string): string | null {
  const words = textsOf(argv);
  const said = words?.map((word) => corrected(word, correction));
  if (cwd.kind !== 'known' || said === undefined || said.every((word, at) => word === words?.[at])) {
    return null;
  }
  const call = quoteCommand(said);
  return cwd.path === start ? call : `${quoteCommand(['cd', near(cwd.path, start)])} && ${call}`;
}

/** `TEXT`, `--message=TEXT`, and a pattern for the version that comes to be in it. */
function corrected(word: string, { given, better }: Correction): string {
  const [, option = '', text = ''] = /^(--?[\w-]+=)?(.*)$/s.exec(word) ?? [];
  const [pattern = exampleVersion] = text.match(versionIn) ?? [];
  return text.replace(versionIn, exampleVersion) === given ? option + better.replaceAll(exampleVersion, pattern) : word;
}
