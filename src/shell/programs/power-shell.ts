import { knownWord, openPart } from '../simple-command.ts';
import { option, type ScriptFinder } from './command-words.ts';

/** Text of PowerShell that runs what a variable holds: a variable by itself is only shown there. */
export const startsInPowerShell =
  /[&.]\s*[$("']|\biex\b|Invoke-(?:Expression|Command)|Start-Process|scriptblock|\.Start\(/i;

const commandOption = option('-Command', '-c', '-command');

/**
 * `powershell -Command "… | ForEach-Object { Stop-Process -Id $_ }"`: the names between double quotes are PowerShell's own
 * variables, which a shell takes for its. What comes of them is a value in either.
 */
export const powerShell: ScriptFinder = (text, next, call) =>
  commandOption(text, next, call).map((script) => {
    const shape = typeof script === 'string' || script.kind === 'known' ? undefined : script.shape;
    return shape === undefined || startsInPowerShell.test(shape) ? script : knownWord(shape.replaceAll(openPart, '$_'));
  });
