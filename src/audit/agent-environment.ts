/**
 * Environment variables that coding agents set for the commands they run, by the agent's name for people. Terminals of
 * editors set others (`CURSOR_TRACE_ID`, `TERM_PROGRAM`): a person types there, so they are not listed.
 */
const agentVariables: Readonly<Record<string, string>> = {
  CLAUDECODE: 'Claude Code',
  CODEX_SANDBOX: 'Codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'Codex',
  CODEX_THREAD_ID: 'Codex',
  CODEX_CI: 'Codex',
  CURSOR_AGENT: 'Cursor',
  GEMINI_CLI: 'Gemini CLI',
  QWEN_CODE: 'Qwen Code',
  OPENCODE: 'OpenCode',
  COPILOT_CLI: 'Copilot CLI',
  GROK_CLI: 'Grok',
  OXIDE_GUARD_AGENT: 'the oxide-guard agent',
};

/**
 * The coding agent that started this process, as far as its environment tells; null for a person's own terminal.
 * It keeps an agent from approving its own commands by accident: who sets out to deceive can unset a variable.
 */
export function agentInEnvironment(env: NodeJS.ProcessEnv): string | null {
  const variable = Object.keys(agentVariables).find((name) => (env[name] ?? '') !== '');
  return variable === undefined ? null : (agentVariables[variable] ?? null);
}
