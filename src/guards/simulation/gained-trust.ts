import { programName, type Step } from '../../shell/simple-command.ts';
import { textOf } from '../git-command/words.ts';

/** Programs that run others as another user, or elsewhere, and those that give files to one. */
const changingUsers =
  /^(?:sudo|doas|su|runuser|setpriv|gosu|su-exec|pkexec|chroot|unshare|nsenter|capsh|machinectl|systemd-run|chown)(?=\s|$)/;

/**
 * May git trust a repository on this line that it does not trust before? git-config(1) "safe.directory": it refuses what
 * another user owns, until somebody names it, gives it away, or runs git as its owner.
 *
 * @param steps of the whole line
 */
export function gainsTrust(steps: readonly Step[]): boolean {
  return steps.some((step) => {
    if (step.cwd.kind === 'known' && step.cwd.isMounted === true) {
      return true;
    }
    const isAnothers = step.origin.through.some((label) => changingUsers.test(label));
    const isNamed = step.kind === 'write' && /config$/.test(textOf(step.path) ?? 'config');
    return isAnothers || isNamed || (step.kind === 'command' && changesTrust(step));
  });
}

function changesTrust({ argv, env }: Extract<Step, { kind: 'command' }>): boolean {
  const name = programName(argv[0]);
  const isSetting = argv.some((word) => /^safe\.directory/i.test(textOf(word) ?? ''));
  return isSetting || env.has('SUDO_UID') || name === null || changingUsers.test(name);
}
