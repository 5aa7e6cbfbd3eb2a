import { knownWord, openPart, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';

export const noSettings: ReadonlyMap<string, Word> = new Map();

/** `env={…}`, `environ.update(…)`, `environ | {…}`, `Object.assign({}, process.env, {…})` */
const several =
  /(?:\benv\s*[:=]|\benviron\s*(?:\|=?|=|\.\s*update\s*\()|\bprocess\.env\s*,)\s*(?:dict\s*\(|(?:os\s*\.\s*)?environ\s*\|\s*)?\s*\{?([^{}()]*)[})]/g;

/**
 * Variables that a program sets for what it starts: `os.environ['X'] = '1'`, `process.env.X = 1`, `$ENV{X} = 1`,
 * `putenv('X=1')`, `env: { X: 1 }`.
 */
export function environmentSettings(program: string): ReadonlyMap<string, Word> {
  if (!/env/i.test(program)) {
    return noSettings;
  }
  const source = withCopiesNamed(program);
  const single = [
    ...source.matchAll(
      /\b(?:process\.env|ENV|\w{0,20}[eE]nv\w{0,20})\s*(?:[[{]\s*["']?(\w+)["']?\s*[\]}]|\.(\w+))\s*=(?!=)\s*["']?([\w./\ufdd0-]*)/g,
    ),
    ...source.matchAll(/\b(?:putenv|setdefault)\s*\(\s*["'](\w+)()(?:=|["']\s*,\s*["'])([\w./\ufdd0-]*)/g),
  ];
  const listed = Array.from(source.matchAll(several), ([, body = '']) => [
    ...body.matchAll(/["']?\b([A-Z][A-Z0-9_]*)["']?\s*[:=]\s*["']?([\w./\ufdd0-]*)/g),
  ]).flat();
  return new Map([
    ...Array.from(single, ([, key, member, value = '']) => [key ?? member ?? '', setting(value)] as const),
    ...listed.map(([, name = '', value = '']) => [name, setting(value)] as const),
  ]);
}

/** A copy of the environment, and what it is called. */
const copy =
  /(?<![\w.$])(?:(?:const|let|var)\s+)?(?<name>[A-Za-z_$][\w$]*)\s*=\s*(?:(?:os\s*\.\s*)?environ\s*\.\s*copy\(\s*\)|dict\s*\(\s*(?:os\s*\.\s*)?environ\b|\{\s*(?:\*\*|\.\.\.)\s*(?:(?:os\s*\.\s*)?environ|process\.env)\b|Object\.assign\(\s*\{\s*\}\s*,\s*process\.env\b|structuredClone\(\s*process\.env\b)/g;
const maximumCopies = 8;

/** The source with what is done to a copy of the environment done to `environ` itself: `e = os.environ.copy(); e['X'] = '1'`. */
function withCopiesNamed(source: string): string {
  const names = new Set(Array.from(source.matchAll(copy), ({ groups }) => groups?.name ?? '').slice(0, maximumCopies));
  return [...names].reduce(
    (text, name) => text.replace(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?=\\s*[.[=])`, 'g'), 'environ'),
    source,
  );
}

function setting(value: string): Word {
  return value.includes(openPart)
    ? unknownWord(value.replaceAll(openPart, '…'), 'the value that the program is given is not known', false)
    : knownWord(value);
}
