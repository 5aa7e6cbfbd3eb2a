import { type Call, framed, type Shell, through } from '../../call.ts';
import { doubtful } from '../../shell-state.ts';
import { beginningOf } from '../../simple-command.ts';
import { stateIn } from '../inline-directories.ts';
import { argumentsAt } from '../source/arguments.ts';
import { codeOf } from '../source/code.ts';
import { codeMatches } from '../source/inert-texts.ts';
import type { Language } from '../source/languages.ts';
import { runOpenCommand } from '../source/open-command.ts';
import { gitLibraries, type LibraryCalls } from './git-libraries.ts';
import { libraryDirectory } from './library-directory.ts';

const maximumCalls = 100;
const maximumHolders = 8;

/** What an inline program does to a repository through a library, as the calls of git that would do the same. */
export function runInlineLibraries(language: Language, source: string, call: Call, shell: Shell): void {
  const options = call.argv.map(beginningOf).filter((word) => word.startsWith('-'));
  const named = [source, ...options].join('\n');
  const used = gitLibraries.filter(({ library }) => library.test(named));
  if (used.length === 0) {
    return;
  }
  const code = codeOf(source, language.name === 'python' || language.name === 'ruby');
  const frame = framed(through(call.frame, `${language.name} program`), { input: null, output: null });
  const directory = libraryDirectory(language, source, code);
  const state = directory === undefined ? call.state : stateIn(call.state, directory);
  const inner = { ...call, frame, state: doubtful(state) };
  for (const row of used) {
    for (const match of codeMatches(language, source, callsIn(source, row), shell.overlay.keptTexts).slice(
      0,
      maximumCalls,
    )) {
      const start = match.index + match[0].length;
      // Ruby needs no brackets.
      const args = /\w$/.test(match[0]) ? [] : argumentsAt(source, code, start, language.interpolation);
      if (args !== null) {
        runOpenCommand({ words: [{ text: ['git'] }, ...row.words(args, match[1] ?? '')] }, inner, shell);
      }
    }
  }
}

/** With the names of the program's own variables in the place of `HOLDER`. */
function callsIn(source: string, { calls, holders }: LibraryCalls): RegExp {
  if (holders === undefined) {
    return calls;
  }
  const names = Array.from(source.matchAll(holders), ([, ...found]) => found.find(Boolean) ?? '').slice(
    0,
    maximumHolders,
  );
  return new RegExp(calls.source.replace('HOLDER', `(?:${['HOLDER', ...new Set(names)].join('|')})`), calls.flags);
}
