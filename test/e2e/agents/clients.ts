import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentName } from '../../../src/dialects/dialect.ts';

/** Where a client is started: its own home, the throw-away repository, the loopback provider. */
export interface Stage {
  readonly home: string;
  readonly work: string;
  readonly url: string;
}

/** A real client, installed by `npm install --ignore-scripts PACKAGE` in a directory of its own. */
export interface Client {
  readonly agent: AgentName;
  readonly package: string;
  /** Tools besides the shell tool that run a command. */
  readonly otherTools?: readonly string[];
  /** It also starts the hooks of `.claude/settings.json`. */
  readonly readsClaudes?: true;
  /** False: its hook is not told of files that its tools write. */
  readonly writes?: false;
  /** It runs on no Node older than 22, and these tests do: `E2E_AGENT_NODE` names one. */
  readonly needsNewerNode?: true;
  /** The program and its arguments; null where the client is not installed below `root`. */
  command(root: string, stage: Stage): readonly string[] | null;
  /** The whole environment besides HOME and PATH. */
  env(stage: Stage): Readonly<Record<string, string>>;
  /** Writes what the client wants in its home: no telemetry, no updates, trust in the repository. */
  prepare(stage: Stage): void;
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** A native program that a platform's own package carries. */
function program(root: string, scope: string, name: string): string | null {
  const modules = join(root, 'node_modules', scope);
  const files = existsSync(modules) ? readdirSync(modules, { recursive: true, encoding: 'utf8' }) : [];
  const found = files.find((path) => new RegExp(`linux-x64/(?:.*/)?${name}$`).test(path) && !path.includes('baseline'));
  return found === undefined ? null : join(modules, found);
}

/** For what runs on node, and newer versions of it need a newer one than these tests do. */
function newerNode(): string {
  return process.env.E2E_AGENT_NODE ?? process.execPath;
}

export const clients: readonly Client[] = [
  {
    agent: 'claude',
    package: '@anthropic-ai/claude-code',
    command: (root) => {
      const path = program(root, '@anthropic-ai', 'claude');
      return path === null ? null : [path, '-p', 'push it', '--allowedTools', 'Bash,Write'];
    },
    env: ({ url }) => ({
      ANTHROPIC_API_KEY: 'made-up',
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
    prepare: () => undefined,
  },
  {
    agent: 'codex',
    package: '@openai/codex',
    command: (root) => {
      const path = program(root, '@openai', 'codex');
      return path === null
        ? null
        : [path, 'exec', '-s', 'danger-full-access', '--dangerously-bypass-hook-trust', 'push it'];
    },
    env: () => ({ LOOPBACK_KEY: 'made-up' }),
    prepare: ({ home, work, url }) =>
      write(
        join(home, '.codex/config.toml'),
        `model = "test"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
supports_websockets = false
[projects."${work}"]
trust_level = "trusted"
`,
      ),
  },
  {
    agent: 'gemini',
    package: '@google/gemini-cli',
    command: (root) => {
      const path = join(root, 'node_modules/@google/gemini-cli/bundle/gemini.js');
      return existsSync(path) ? [process.execPath, path, '-m', 'gemini-2.5-flash', '--yolo', '-p', 'push it'] : null;
    },
    env: ({ url }) => ({ GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' }),
    prepare: ({ home, work }) => {
      write(
        join(home, '.gemini/settings.json'),
        JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, disableUpdateNag: true },
        }),
      );
      write(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [work]: 'TRUST_FOLDER' }));
    },
  },
  {
    agent: 'cursor',
    // Before 1.0.32 it needs a part of `sqlite3` that an installation without scripts does not make.
    package: '@cursor/sdk',
    otherTools: ['BackgroundShell'],
    writes: false,
    readsClaudes: true,
    needsNewerNode: true,
    command: (root) => {
      const path = join(root, 'node_modules/@cursor/sdk/dist/cjs/index.js');
      const driver = join(dirname(fileURLToPath(import.meta.url)), 'cursor-agent.mjs');
      return existsSync(path) ? [newerNode(), driver, path] : null;
    },
    env: ({ url }) => ({ CURSOR_BACKEND_URL: url, SHELL: '/bin/sh' }),
    prepare: () => undefined,
  },
  {
    agent: 'opencode',
    package: 'opencode-ai',
    command: (root) => {
      const path = join(root, 'node_modules/opencode-linux-x64/bin/opencode');
      return existsSync(path) ? [path, 'run', 'push it'] : null;
    },
    env: () => ({
      // In a fresh home it installs what its plugins may need: without a network, over and over for a minute.
      npm_config_fetch_retries: '0',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    prepare: ({ home, url }) => {
      const models = { test: { name: 'test', tool_call: true, limit: { context: 100_000, output: 1000 } } };
      const options = { baseURL: `${url}/v1`, apiKey: 'made-up' };
      write(
        join(home, '.config/opencode/opencode.json'),
        JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          model: 'loopback/test',
          small_model: 'loopback/test',
          provider: { loopback: { npm: '@ai-sdk/openai-compatible', name: 'loopback', options, models } },
          permission: { bash: 'allow' },
        }),
      );
    },
  },
  {
    agent: 'copilot',
    package: '@github/copilot',
    readsClaudes: true,
    command: (root) => {
      const path = program(root, '@github', 'copilot');
      return path === null ? null : [path, '-p', 'push it', '--allow-all-tools', '--trust-folder'];
    },
    env: ({ url }) => ({
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_OFFLINE: 'true',
      COPILOT_MODEL: 'test',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'made-up',
    }),
    prepare: () => undefined,
  },
  {
    agent: 'qwen',
    package: '@qwen-code/qwen-code',
    otherTools: ['monitor'],
    command: (root) => {
      const path = join(root, 'node_modules/@qwen-code/qwen-code/cli.js');
      return existsSync(path) ? [newerNode(), path, '--yolo', '-p', 'push it'] : null;
    },
    env: ({ url }) => ({ OPENAI_API_KEY: 'made-up', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'test' }),
    prepare: ({ home }) => {
      write(
        join(home, '.qwen/settings.json'),
        JSON.stringify({
          security: { auth: { selectedType: 'openai' } },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, disableUpdateNag: true },
        }),
      );
    },
  },
  {
    agent: 'grok',
    package: '@xai-official/grok',
    otherTools: ['monitor'],
    readsClaudes: true,
    command: (root) => {
      const path = program(root, '@xai-official', 'grok');
      return path === null ? null : [path, '-p', 'push it', '-m', 'loopback', '--always-approve', '--trust'];
    },
    env: () => ({ GROK_AUTO_UPDATE: '0', LOOPBACK_KEY: 'made-up' }),
    prepare: ({ home, url }) =>
      write(
        join(home, '.grok/config.toml'),
        `[model.loopback]
model = "test"
base_url = "${url}/v1"
env_key = "LOOPBACK_KEY"
api_backend = "chat_completions"
context_window = 100000
`,
      ),
  },
  {
    agent: 'droid',
    package: 'droid',
    command: (root) => {
      const path = program(root, '@factory', 'droid');
      return path === null ? null : [path, 'exec', '--skip-permissions-unsafe', '-m', 'custom:test', 'push it'];
    },
    env: () => ({
      FACTORY_AIRGAP_ENABLED: 'true',
      FACTORY_API_KEY: 'made-up',
      FACTORY_DISABLE_KEYRING: 'true',
      FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
      FACTORY_OTEL_ENABLED: 'false',
    }),
    prepare: ({ home, url }) =>
      write(
        join(home, '.factory/settings.json'),
        JSON.stringify({
          customModels: [
            {
              model: 'test',
              displayName: 'test',
              id: 'custom:test',
              baseUrl: `${url}/v1`,
              apiKey: 'made-up',
              provider: 'generic-chat-completion-api',
              maxOutputTokens: 1000,
            },
          ],
        }),
      ),
  },
];
