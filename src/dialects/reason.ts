import type { Approval } from '../audit/approval.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { type Finding, isCut } from '../guards/finding.ts';
import { pasteable } from '../own-command.ts';
import { printable } from '../ui/findings.ts';

const shownItems = 10;

/** What the guard tells the agent, and through it the user: facts, what is at stake, and what to do instead. */
export function reasonOf(findings: readonly Finding[]): string {
  return findings.map((finding) => findingLines(finding).join('\n')).join('\n');
}

function findingLines({ rule, message, evidence, suggestion }: Finding): readonly string[] {
  const items = [
    ...evidence.refs.map(oneLine),
    ...evidence.commits.map(({ oid, subject }) => `${oid.slice(0, 7)} ${oneLine(subject)}`),
    ...evidence.files.map(quotedPath),
  ];
  const more = items.length - shownItems;
  return [
    `oxide-guard: ${printable(message)} [${rule}]`,
    ...items.slice(0, shownItems).map((item) => `  ${item}`),
    ...(more > 0 ? [`  … and ${isCut(evidence) ? '' : `${more} `}more`] : []),
    ...(suggestion === null ? [] : [`Instead: ${printable(suggestion)}`]),
  ];
}

/** Names and subjects are a stranger's words: none of them may look like a line of the guard's. */
function oneLine(text: string): string {
  return printable(text).replaceAll('\n', ' ');
}

/** How a person allows what the agent itself can't ask about. */
export function approvalText(approval: Approval | null, directory: string): string {
  if (approval === null) {
    return 'This needs a person’s approval, but the request could not be recorded. Ask the user to run the command.';
  }
  const until = new Date(approval.expires).toTimeString().slice(0, 5);
  return (
    `This needs a person’s approval. Ask the user to run \`${pasteable(`oxide-guard approve ${approval.id}`)}\` in ${oneLine(directory)}, ` +
    `in a terminal of their own, before ${until}; then run exactly the same command again. It is good for one use. ` +
    'Do not look for another way to reach the same effect.'
  );
}
