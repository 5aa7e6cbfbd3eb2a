import { openPart } from '../../simple-command.ts';
import { type OpenCommand, shapesOf } from './open-command.ts';

/** Options of git's commands that say by themselves what a command does to work, commits or checks, whatever it is given. */
const harmful: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-[a-zA-Z]*[DMf][a-zA-Z]*|--force)$/,
  checkout: /^(?:-[a-z]*f[a-z]*|--force|-[a-z]*B)$/,
  clean: /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/,
  commit: /^(?:-[a-z]*n[a-z]*|--no-verify)$/,
  merge: /^--no-verify$/,
  push: /^--no-verify$/,
  rebase: /^--no-verify$/,
  reset: /^--(?:hard|merge|keep)$/,
  stash: /^(?:drop|clear)$/,
  switch: /^(?:-[a-z]*[fC]|--force|--force-create|--discard-changes)$/,
  'update-ref': /^-d$/,
};

/**
 * Does a command of git say by the words that are known what harm it does, so that this hangs on none that are not:
 * `git reset --hard $ref`? Where it runs must be known, too.
 *
 * @param source the program, which may ask itself which branches are merged
 */
export function isClearlyHarmful(command: OpenCommand, source: string): boolean {
  return shapesOf(command).some((words) => {
    const [program, ...others] = words.filter((word) => !/^\w+=/.test(word));
    const at = others.findIndex((word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(others[index - 1] ?? ''));
    const verb = others[at] ?? '';
    // What is cleaned hangs on the paths that are given.
    const mustBeKnown = verb === 'clean' ? others : others.slice(0, at);
    const isKnown = !mustBeKnown.some((word) => word.includes(openPart));
    const isAsked = verb === 'branch' && source.includes('--merged');
    return (
      program === 'git' &&
      isKnown &&
      !isAsked &&
      Object.hasOwn(harmful, verb) &&
      others.slice(at + 1).some((word) => harmful[verb]?.test(word) === true)
    );
  });
}
