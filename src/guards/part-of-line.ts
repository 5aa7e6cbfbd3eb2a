import { programName, type SimpleCommand } from '../shell/simple-command.ts';
import type { Finding } from './finding.ts';

/** What they propose is the command in another way, not something to do before it. */
const proposingAnother: ReadonlySet<string> = new Set([
  'commit-message',
  'skip-checks',
  'mirror-push',
  'force-push',
  'protected-push',
  'protected-lease-push',
  'protected-force-push',
]);

const subcommandIn = /\bgit (?:-[Cc] \S+ |-\S+ )*(commit|merge|push|pull|rebase|am|cherry-pick|revert)\b/g;

/**
 * Of a line that does more, what is proposed takes the place of one command: which one is said, so that nobody runs it in
 * the place of the line.
 *
 * @param found of the command
 */
export function namingTheCommand(found: readonly Finding[], command: SimpleCommand): readonly Finding[] {
  return found.map((finding) => {
    const { rule, suggestion } = finding;
    const name = suggestion === null || !proposingAnother.has(rule) ? undefined : proposedBy(suggestion);
    const means = name === undefined ? null : meansOf(command, name);
    return means === null
      ? finding
      : { ...finding, suggestion: `${suggestion}${suggestion?.includes('   # ') ? ';' : '   #'} in place of ${means}` };
  });
}

/** The subcommand that does what the command was to do: what comes before prepares it. */
function proposedBy(suggestion: string): string | undefined {
  const [command = ''] = suggestion.split('   # ');
  return [...command.matchAll(subcommandIn)].at(-1)?.[1];
}

/** Null: the command is none of git's that does the same. */
function meansOf({ argv }: SimpleCommand, name: string): string | null {
  const isNamed = argv.some((word) => word.kind === 'known' && word.value === name);
  return programName(argv[0]) === 'git' && isNamed ? `git ${name}` : null;
}
