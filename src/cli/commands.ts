import type { CommandEntry } from './command.ts';

/** Every command, in the order in which help shows them. A module is loaded when its command is called. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  install: {
    summary: 'give this repository its hooks',
    load: async () => (await import('./install.ts')).install,
  },
  uninstall: {
    summary: 'take the hooks away and put back what was there',
    load: async () => (await import('./uninstall.ts')).uninstall,
  },
  doctor: {
    summary: 'examine the hooks: present, reached, refusing',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  commit: {
    summary: 'write a commit message by answering questions, and commit',
    load: async () => (await import('./commit.ts')).commit,
  },
  lint: {
    summary: 'check a commit message, or every commit of a range',
    load: async () => (await import('./lint.ts')).lint,
  },
  approve: {
    summary: 'allow one stopped action, once',
    load: async () => (await import('./approve.ts')).approve,
  },
  log: {
    summary: 'show what was stopped, asked about and let through',
    load: async () => (await import('./log.ts')).log,
  },
  checkpoint: {
    summary: 'list, take and delete snapshots of the work tree',
    load: async () => (await import('./checkpoint.ts')).checkpoint,
  },
  undo: {
    summary: 'bring the work tree back to a checkpoint',
    load: async () => (await import('./undo.ts')).undo,
  },
  check: {
    summary: 'judge a command line by what it would do now',
    load: async () => (await import('./check.ts')).check,
  },
  explain: {
    summary: 'tell step by step how a command line is judged',
    load: async () => (await import('./explain.ts')).explain,
  },
  agent: {
    summary: 'work with a guarded coding agent',
    load: async () => (await import('./agent.ts')).agent,
  },
  mcp: {
    summary: 'serve projects, agent sessions and the guarded tools to MCP clients',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  projects: {
    summary: 'list, make and delete projects of the control plane',
    load: async () => (await import('./projects.ts')).projects,
  },
  sessions: {
    summary: 'list, follow and end agent sessions of the control plane',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  schedules: {
    summary: 'list, make and run schedules of the control plane',
    load: async () => (await import('./schedules.ts')).schedules,
  },
  tokens: {
    summary: 'list, make and revoke tokens of the control plane',
    load: async () => (await import('./tokens.ts')).tokens,
  },
  demo: {
    summary: 'see the guard at work on a throw-away repository',
    load: async () => (await import('./demo.ts')).demo,
  },
  config: {
    summary: 'write, print or describe the configuration',
    load: async () => (await import('./config.ts')).config,
  },
  completions: {
    summary: 'complete these commands in bash, zsh or fish',
    load: async () => (await import('./completions.ts')).completionsOf(commands),
  },
  hook: {
    summary: 'what git hooks and agents start',
    load: async () => (await import('./hook.ts')).hook,
  },
};
