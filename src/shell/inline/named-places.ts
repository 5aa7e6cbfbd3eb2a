import type { Call, Shell } from '../call.ts';
import { onlyBinding } from './conditions/only-binding.ts';
import { setsPlaces, whereItRuns, withPathsAsTexts } from './new-directories.ts';
import { codeOf } from './source/code.ts';
import { constantsIn } from './source/constants.ts';
import type { Language } from './source/languages.ts';
import { withPathsJoined } from './source/paths.ts';
import type { Places } from './source/places.ts';

/** Without one of these no place is said otherwise than by a text, and without one of those no command runs elsewhere. */
const saysPlace =
  /\bPath\s*[.(]|\b(?:join|resolve|abspath|realpath|dirname|gettempdir|tmpdir)\s*\(|\b__file__\b|\b__(?:dir|file)name\b|\bimport\.meta\b/;
const takesPlace = /cwd\b|chdir|\bcd\b|["'`\s]-C\b|\b(?:init|clone|worktree)\b|--git-dir|--work-tree/;

/** A name may lead elsewhere then. */
const makesLinks = /symlink|\bln\b/i;

/** A program may call something else of its own so. */
const names = 'Path|join|resolve|abspath|realpath|dirname|gettempdir|tmpdir|fileURLToPath';
const isItsOwn = new RegExp(
  String.raw`\b(?:def|class|function|as)\s+(?:${names})\b|:\s*(?:${names})\s*[,}]|(?<![\w$.])(?:${names}|__file__|os|path|tempfile)\s*=(?![=>]|\s*require\b)`,
);

/**
 * The source of a program with literals for the directories that it names by a path: `Path('/tmp') / 'trial'`,
 * `Path(__file__).resolve().parent.parent`, `path.join(os.tmpdir(), 'trial')`, by the names that it gives to them, too.
 * As it is where one of these names may stand for something else. Positions change.
 */
export function withNamedPlaces(language: Language, source: string, places: Places, call: Call, shell: Shell): string {
  const isRead = /^(?:python|node|bun|deno|zx)$/.test(language.name);
  if (!isRead || !saysPlace.test(source) || !takesPlace.test(source) || setsPlaces.test(source)) {
    return source;
  }
  const isPython = language.name === 'python';
  const own = whereItRuns(source, call);
  const code = codeOf(source, isPython);
  if (makesLinks.test(source) || isItsOwn.test(withoutModuleNames(code))) {
    return source;
  }
  // What is put behind a path may be a path of its own, and lead elsewhere.
  const file = places.file !== null && shell.overlay.isThroughLink(places.file) ? null : places.file;
  const written = withPathsAsTexts(withPathsJoined(source, isPython, { ...places, own, file }, 'literals'));
  return constantsIn(written).every((name) => onlyBinding(name, code, isPython) !== null) ? written : source;
}

/** `const __dirname = dirname(fileURLToPath(import.meta.url))`: that is what it is elsewhere. */
const withoutModuleNames = (code: string): string => code.replace(/\b__(?:dir|file)name\s*=/g, '');
