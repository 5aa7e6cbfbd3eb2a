import { listedWords } from '../../listed-words.ts';

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
  /** `**` stands for any number of directories. */
  readonly globstar: boolean;
  /** Patterns match files' names in any letter case. */
  readonly nocaseglob: boolean;
  /** `case`, `[[`, and `${x/…/…}` match in any letter case. */
  readonly nocasematch: boolean;
  /** `cd NAME` goes where the variable NAME says, where there is no such directory. */
  readonly cdableVars: boolean;
  /** The last command of a pipeline runs in this very shell. */
  readonly lastpipe: boolean;
  /** `echo` reads escapes without being told. */
  readonly xpgEcho: boolean;
  /** `set -k`: what looks like an assignment is one, wherever it stands. */
  readonly keyword: boolean;
  /** `set -a`: every variable that is set is exported. */
  readonly allexport: boolean;
  /** Where `exec` finds no program, the shell goes on. */
  readonly execfail: boolean;
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
  globstar: false,
  nocaseglob: false,
  nocasematch: false,
  cdableVars: false,
  lastpipe: false,
  xpgEcho: false,
  keyword: false,
  allexport: false,
  execfail: false,
  zshLists: false,
};

/** bash(1) "shopt": the names of those that are followed. */
const named: ReadonlyMap<string, keyof ShellOptions> = new Map<string, keyof ShellOptions>([
  ['expand_aliases', 'expandAliases'],
  ['dotglob', 'dotglob'],
  ['nullglob', 'nullglob'],
  ['globstar', 'globstar'],
  ['nocaseglob', 'nocaseglob'],
  ['nocasematch', 'nocasematch'],
  ['cdable_vars', 'cdableVars'],
  ['lastpipe', 'lastpipe'],
  ['xpg_echo', 'xpgEcho'],
  ['execfail', 'execfail'],
]);

/** The options after `shopt -s NAME…`, or `-u`; `bash -O NAME`, or `+O`. */
export function withShopt(options: ShellOptions, names: readonly string[], on: boolean): ShellOptions {
  const keys = names.flatMap((name) => named.get(name) ?? []);
  return { ...options, ...Object.fromEntries(keys.map((key) => [key, on])) };
}

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
    keyword: isNamed('keyword', /^[-+]\w*k/) ? on : options.keyword,
    nounset: isNamed('nounset', /u/) ? on : options.nounset,
    noclobber: isNamed('noclobber', /C/) ? on : options.noclobber,
  };
}

let options: ReadonlySet<string> | undefined;

/** Is there such an option of `set -o`? */
export function isOption(name: string): boolean {
  options ??= new Set(
    listedWords(`allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof
    interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix
    privileged verbose vi xtrace`),
  );
  return options.has(name);
}

let shellOptions: ReadonlySet<string> | undefined;

/** Is there such an option of `shopt`? */
export function isShellOption(name: string): boolean {
  shellOptions ??= new Set(
    listedWords(`array_expand_once assoc_expand_once autocd cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist
    compat31 compat32 compat40 compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail
    expand_aliases extdebug extglob extquote failglob force_fignore globasciiranges globskipdots globstar gnu_errfmt
    histappend histreedit histverify hostcomplete huponexit inherit_errexit interactive_comments lastpipe lithist
    localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch
    noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose
    sourcepath varredir_close xpg_echo`),
  );
  return shellOptions.has(name);
}
