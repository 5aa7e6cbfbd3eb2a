/**
 * Programs whose output is made for `eval` and only sets up the environment, by the words with which it is so: what
 * `eval "$(ssh-agent -s)"` does is no question to a person.
 */
const environmentPrinters: ReadonlyMap<string, RegExp> = new Map([
  ['ssh-agent', /^(?:-[scka]\b.*)?$/],
  ['gpg-agent', /^--daemon/],
  ['pyenv', /^(?:init|virtualenv-init)\b/],
  ['rbenv', /^init\b/],
  ['nodenv', /^init\b/],
  ['jenv', /^init\b/],
  ['goenv', /^init\b/],
  ['direnv', /^(?:hook|export)\b/],
  ['brew', /^shellenv\b/],
  ['fnm', /^(?:env|completions)\b/],
  ['mise', /^(?:activate|env|hook-env)\b/],
  ['starship', /^init\b/],
  ['zoxide', /^init\b/],
  ['atuin', /^init\b/],
  ['opam', /^(?:config )?env\b/],
  ['conda', /^shell\.\w+ (?:hook|activate)/],
  ['micromamba', /^shell (?:hook|activate)/],
  ['dircolors', /^/],
  ['lesspipe', /^$/],
  ['thefuck', /^--alias/],
  ['kubectl', /^completion\b/],
  ['gh', /^completion\b/],
  ['npm', /^completion\b/],
  ['rustup', /^completions\b/],
  ['minikube', /^docker-env\b/],
  ['docker-machine', /^env\b/],
  ['register-python-argcomplete', /^/],
  ['luarocks', /^path\b/],
  ['go', /^env\b/],
  ['rg', /^--generate[= ]complete-/],
  ['ng', /^completion script\b/],
  ['cs', /^java\b/],
  ['cargo', /^llvm-cov show-env\b/],
]);

/** What such programs call it: what sets up a shell, by the shell's name, or an environment that is entered. */
const shellSetup =
  /^(?:.* )?(?:(?:generate-)?(?:shell-)?completions?|--(?:generate-)?(?:shell-)?completions?|init|activate|hook)[= ](?:.* )?(?:-|bash|zsh|sh|fish)(?: --?[\w-]+(?:[= ][^\s-]\S*)?)*$|^(?:global )?(?:shellenv|shell-hook)\b|^(?:env|venv) activate\b/;

/** Is what the program prints settings of the environment, and nothing that matters here? */
export function printsSettings(program: string, args: readonly string[]): boolean {
  const words = args.join(' ');
  return environmentPrinters.get(program)?.test(words) === true || (program !== 'git' && shellSetup.test(words));
}
