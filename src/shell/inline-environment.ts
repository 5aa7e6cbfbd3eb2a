import { unknownWord } from './parameter.ts';
import { knownWord, openPart, type Word } from './simple-command.ts';

export const noSettings: ReadonlyMap<string, Word> = new Map();

/**
 * Variables that a program sets for what it starts: `os.environ['X'] = '1'`, `process.env.X = 1`, `$ENV{X} = 1`,
 * `putenv('X=1')`, `env: { X: 1 }`.
 */
export function environmentSettings(source: string): ReadonlyMap<string, Word> {
  if (!/env/i.test(source)) {
    return noSettings;
  }
  const single = [
    ...source.matchAll(
      /\b(?:environ|process\.env|ENV)\s*(?:[[{]\s*["']?(\w+)["']?\s*[\]}]|\.(\w+))\s*=(?!=)\s*["']?([\w./\ufdd0-]*)/g,
    ),
    ...source.matchAll(/\bputenv\s*\(\s*["'](\w+)()(?:=|["']\s*,\s*["'])([\w./\ufdd0-]*)/g),
  ];
  const several = Array.from(source.matchAll(/\benv\s*[:=]\s*(?:dict\s*\()?\{?([^{}()]*)[})]/g), ([, body = '']) => [
    ...body.matchAll(/["']?\b([A-Z][A-Z0-9_]*)["']?\s*[:=]\s*["']?([\w./\ufdd0-]*)/g),
  ]).flat();
  return new Map([
    ...Array.from(single, ([, listed, member, value = '']) => [listed ?? member ?? '', setting(value)] as const),
    ...several.map(([, name = '', value = '']) => [name, setting(value)] as const),
  ]);
}

function setting(value: string): Word {
  return value.includes(openPart)
    ? unknownWord(value.replaceAll(openPart, '…'), 'the value that the program is given is not known', false)
    : knownWord(value);
}
