import type { Environment } from '../git/runner.ts';
import { isSecret } from '../tools/shell-environment.ts';

/** What programs need to find their way, and to speak a language. */
const passed: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'SYSTEMROOT',
  'COMSPEC',
  'PATHEXT',
];

/**
 * The environment of a session: of this process's only what is listed. A server's environment has keys and tokens by
 * names that nobody can foresee; a session's commands see none of them.
 */
export function sessionEnvironment(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => (passed.includes(name.toUpperCase()) || name.startsWith('LC_')) && !isSecret(name, value),
    ),
  );
}
