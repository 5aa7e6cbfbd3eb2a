import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../git/runner.ts';

/** Below the home directory. Keys, tokens, and the sockets of agents that sign with them. */
const inHome: readonly string[] = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/gcloud',
  '.config/doctl',
  '.config/op',
  '.config/sops',
  '.config/rclone',
  '.config/google-chrome',
  '.config/chromium',
  '.config/github-copilot',
  '.config/containers/auth.json',
  '.azure',
  '.kube',
  '.oci',
  '.docker',
  '.boto',
  '.s3cfg',
  '.pgpass',
  '.my.cnf',
  '.vault-token',
  '.1password',
  '.colima',
  '.lima',
  '.orbstack',
  '.terraform.d',
  '.terraformrc',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.mozilla',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.claude/.credentials.json',
  '.claude.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.python_history',
  'Library/Keychains',
  'Library/Application Support/Google/Chrome',
  'Library/Cookies',
];

/** Variables that name such a file elsewhere. */
const variables: readonly string[] = [
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'AZURE_CONFIG_DIR',
  'CLOUDSDK_CONFIG',
  'DOCKER_CONFIG',
  'GH_CONFIG_DIR',
  'GNUPGHOME',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'KUBECONFIG',
  'NETRC',
  'NPM_CONFIG_USERCONFIG',
  'npm_config_userconfig',
  'PGPASSFILE',
];

/** What as a rule only root can read: for who can't, it need not be hidden. */
const ofRoot: readonly string[] = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d'];

/** Where what runs in a container or cluster finds its keys. */
const ofContainer = '/var/run/secrets';

/**
 * Paths that commands of a model have no reason to read, whether they exist or not. `.env` files are not among them:
 * they belong to the project, whose tests and servers read them.
 */
export function secretPaths(home: string, env: Environment): readonly string[] {
  const state = env.XDG_STATE_HOME || join(home, '.local', 'state');
  const named = variables.flatMap((name) => (env[name] ?? '').split(':')).filter((path) => path.startsWith('/'));
  return [
    ...inHome.map((path) => join(home, path)),
    join(state, 'oxide-guard'),
    ...named,
    ...ofRoot.filter(isReadable),
    ofContainer,
  ];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Below the home directory: what runs programs in the person's next shell or session, where home itself is writable. */
export function startupPaths(home: string): readonly string[] {
  const names = [
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.profile',
    '.zshrc',
    '.zprofile',
    '.zshenv',
    '.zlogin',
    '.gitconfig',
    '.config/git',
    '.config/oxide-guard',
    '.config/fish',
    '.config/autostart',
    '.config/systemd',
    '.local/bin',
    'bin',
    'Library/LaunchAgents',
  ];
  return names.map((name) => join(home, name));
}
