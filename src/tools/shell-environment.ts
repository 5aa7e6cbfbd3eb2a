import type { Environment } from '../git/runner.ts';

/** A variable whose name says that its value is a secret: `ANTHROPIC_API_KEY`, `GITHUB_TOKEN`, `DB_PASSWORD`. */
const secretName =
  /(?:^|_)(?:API_?KEYS?|APIKEY|ACCESS_KEY(?:_ID)?|SECRETS?|SECRET_KEY|SECRET_ACCESS_KEY|(?:AUTH_?)?TOKENS?|PAT|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?|PRIVATE_KEY|AUTH|COOKIE|WEBHOOK(?:_URL)?|SK|DSN)(?:_(?:FILE|BASE64|B64|JSON|[A-Z]*KEY))?$/i;

/** A value that is a key of a known kind, whatever its name: of GitHub, GitLab, npm, Slack, AWS, Google, model providers, a private key. */
const secretValue =
  /^(?:gh[pousr]_|github_pat_|glpat-|npm_[A-Za-z0-9]{20}|xox[abeprs]-|xapp-|AKIA[A-Z0-9]{12}|ASIA[A-Z0-9]{12}|AIza[\w-]{20}|ya29\.|sk-|[sr]k_(?:live|test)_|hf_[A-Za-z0-9]{20}|dop_v1_|eyJ[\w-]+\.eyJ|-----BEGIN )/;

/** Editors would wait for a terminal that is not there; git says instead what to do without one. */
const interactive: readonly string[] = [
  'EDITOR',
  'VISUAL',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'BASH_ENV',
  'ENV',
  'PROMPT_COMMAND',
];

/** No colours, no pagers, no questions. */
const plain: Environment = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** `git gc` in the background would be ended with the command that started it, and begin anew with the next one. */
const gitSettings = ["'gc.auto=0'", "'maintenance.auto=false'"];

/** The environment in which a model's commands run, and are to be judged: without secrets and what needs a terminal. */
export function shellEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(([name, value]) => !isSecret(name, value) && !interactive.includes(name));
  const parameters = [env.GIT_CONFIG_PARAMETERS, ...gitSettings];
  return {
    ...Object.fromEntries(kept),
    ...plain,
    GIT_CONFIG_PARAMETERS: parameters.filter((text) => text !== undefined && text !== '').join(' '),
  };
}

/** Does a variable's name or value (`postgres://user:password@host`) say that it is a secret? Proxies are none. */
export function isSecret(name: string, value: string | undefined): boolean {
  return (
    secretName.test(name) ||
    secretValue.test(value ?? '') ||
    (!/_proxy$/i.test(name) && /\w:\/\/[^/\s:@]*:[^/\s@]+@/.test(value ?? ''))
  );
}
