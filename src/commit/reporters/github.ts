import { faults } from '../explain.ts';
import type { Reporter } from './reporter.ts';

/** GitHub's workflow commands: an annotation for each fault, with the corrected header. */
export const github: Reporter = (linted, { convention }) =>
  linted
    .flatMap(({ oid, file, message, report, suggestion }) =>
      faults(message, report, convention).map(({ level, message: text, position }) => {
        const header = message.trimStart().split('\n', 1)[0] ?? '';
        const place = file === null ? {} : { file, line: position?.line, col: position?.column };
        const title = oid === null ? 'commit message' : `commit ${oid.slice(0, 10)}`;
        const better = suggestion === null ? '' : `\nsuggested: ${suggestion.message.split('\n', 1)[0]}`;
        return `::${level}${properties({ ...place, title })}::${escapeData(`${header}\n${text}${better}`)}`;
      }),
    )
    .join('\n');

function properties(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return ` ${given.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')}`;
}

/** `@actions/core`, `escapeData`. */
function escapeData(value: string): string {
  return value.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(value: string): string {
  return escapeData(value).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
