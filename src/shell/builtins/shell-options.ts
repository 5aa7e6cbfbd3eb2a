/** What a shell is told about itself: bash(1) "SHELL BUILTIN COMMANDS", `set` and `shopt`. */
export interface ShellOptions {
  readonly errexit: boolean;
  /** A pipeline fails where any of its commands does. */
  readonly pipefail: boolean;
  readonly noglob: boolean;
  /** `set -u`: a variable that is not set stops the shell. */
  readonly nounset: boolean;
  /** `set -C`: `>` does not write over a file that is there. */
  readonly noclobber: boolean;
  readonly expandAliases: boolean;
  readonly dotglob: boolean;
  /** A pattern that matches nothing is no word. */
  readonly nullglob: boolean;
  /** `set -a`: every variable that is set is exported. */
  readonly allexport: boolean;
  /** zsh: `$list` stands for all its elements, the first of which is number 1 (zshparam(1)). */
  readonly zshLists: boolean;
}

/** Those of a bash that was told nothing. */
export const defaultOptions: ShellOptions = {
  errexit: false,
  pipefail: false,
  noglob: false,
  nounset: false,
  noclobber: false,
  expandAliases: false,
  dotglob: false,
  nullglob: false,
  allexport: false,
  zshLists: false,
};

/** The options after such a word of `set`, or of a shell's own. @param named the option that `-o` names */
export function withOptions(options: ShellOptions, text: string, named: string | null): ShellOptions {
  const on = text.startsWith('-');
  const isNamed = (name: string, letter: RegExp) => named === name || letter.test(text);
  return {
    ...options,
    errexit: isNamed('errexit', /e/) ? on : options.errexit,
    pipefail: named === 'pipefail' ? on : options.pipefail,
    expandAliases: named === 'posix' && on ? true : options.expandAliases,
    allexport: isNamed('allexport', /^[-+][b-zA-Z]*a/) ? on : options.allexport,
    noglob: isNamed('noglob', /f/) ? on : options.noglob,
    nounset: isNamed('nounset', /u/) ? on : options.nounset,
    noclobber: isNamed('noclobber', /C/) ? on : options.noclobber,
  };
}
