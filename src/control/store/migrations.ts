/** One step of the schema. What was released is never changed: a new step is added. */
export interface Migration {
  readonly number: number;
  readonly statements: readonly string[];
}

/**
 * The schema, for both engines. BIGINT holds milliseconds and counters (in SQLite any integer does); ids are text.
 * Partial indexes make a name unique among what is not deleted.
 */
export const migrations: readonly Migration[] = [
  {
    number: 1,
    statements: [
      `CREATE TABLE projects (
        project_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        source_url TEXT,
        protected_branches TEXT NOT NULL,
        limits TEXT NOT NULL,
        default_branch TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        trashed_at BIGINT
      )`,
      'CREATE UNIQUE INDEX project_names ON projects (name) WHERE trashed_at IS NULL',
      `CREATE TABLE workspaces (
        workspace_id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
        branch TEXT NOT NULL,
        directory TEXT NOT NULL,
        is_default BIGINT NOT NULL,
        created_at BIGINT NOT NULL
      )`,
      'CREATE INDEX workspaces_of_project ON workspaces (project_id)',
      `CREATE TABLE tokens (
        token_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        scope TEXT NOT NULL,
        secret_sha256 TEXT NOT NULL UNIQUE,
        created_by TEXT,
        created_at BIGINT NOT NULL,
        expires_at BIGINT,
        last_used_at BIGINT,
        revoked_at BIGINT
      )`,
      `CREATE TABLE sessions (
        session_id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL REFERENCES projects (project_id) ON DELETE CASCADE,
        workspace_id TEXT NOT NULL,
        parent_id TEXT,
        root_id TEXT NOT NULL,
        depth BIGINT NOT NULL,
        status TEXT NOT NULL,
        model TEXT,
        token_id TEXT,
        tools_allowed TEXT,
        tools_disallowed TEXT NOT NULL,
        limits TEXT NOT NULL,
        used TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        ended_at BIGINT,
        end_reason TEXT,
        end_requested_at BIGINT,
        runner_id TEXT,
        runner_seen_at BIGINT,
        next_seq BIGINT NOT NULL,
        first_seq BIGINT NOT NULL,
        next_index BIGINT NOT NULL,
        first_index BIGINT NOT NULL
      )`,
      'CREATE INDEX sessions_of_workspace ON sessions (workspace_id, created_at)',
      'CREATE INDEX sessions_of_tree ON sessions (root_id)',
      'CREATE INDEX sessions_by_status ON sessions (status)',
      'CREATE INDEX sessions_of_runner ON sessions (runner_id)',
      `CREATE TABLE prompts (
        prompt_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
        position BIGINT NOT NULL,
        text TEXT NOT NULL,
        caller_id TEXT,
        caller_tools TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        taken_at BIGINT,
        ended_at BIGINT,
        outcome TEXT,
        problem TEXT,
        UNIQUE (session_id, position)
      )`,
      'CREATE INDEX prompts_waiting ON prompts (session_id, position) WHERE taken_at IS NULL',
      `CREATE TABLE events (
        session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
        seq BIGINT NOT NULL,
        root_id TEXT NOT NULL,
        tree_index BIGINT NOT NULL,
        ts BIGINT NOT NULL,
        type TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session_id, seq)
      )`,
      'CREATE UNIQUE INDEX events_of_tree ON events (root_id, tree_index)',
      `CREATE TABLE caller_requests (
        request_id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
        caller_id TEXT,
        kind TEXT NOT NULL,
        tool TEXT NOT NULL,
        input TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        answered_at BIGINT,
        outcome TEXT
      )`,
      'CREATE INDEX caller_requests_of_session ON caller_requests (session_id, answered_at)',
      `CREATE TABLE schedules (
        schedule_id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        cron TEXT NOT NULL,
        timezone TEXT NOT NULL,
        prompt TEXT NOT NULL,
        targets TEXT NOT NULL,
        overlap TEXT NOT NULL,
        misfire TEXT NOT NULL,
        session_behavior TEXT NOT NULL,
        enabled BIGINT NOT NULL,
        token_id TEXT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        next_at BIGINT,
        failures BIGINT NOT NULL,
        paused_reason TEXT,
        forgotten_until BIGINT NOT NULL
      )`,
      'CREATE INDEX schedules_due ON schedules (enabled, next_at)',
      `CREATE TABLE runs (
        run_id TEXT PRIMARY KEY,
        schedule_id TEXT NOT NULL REFERENCES schedules (schedule_id) ON DELETE CASCADE,
        target TEXT NOT NULL,
        slot BIGINT NOT NULL,
        origin TEXT NOT NULL,
        status TEXT NOT NULL,
        claimed_by TEXT,
        claimed_at BIGINT NOT NULL,
        session_id TEXT,
        problem TEXT,
        ended_at BIGINT,
        UNIQUE (schedule_id, target, slot)
      )`,
      'CREATE INDEX runs_of_schedule ON runs (schedule_id, slot)',
      'CREATE INDEX runs_by_status ON runs (status)',
      `CREATE TABLE schedulers (
        scheduler_id TEXT PRIMARY KEY,
        seen_at BIGINT NOT NULL
      )`,
      `CREATE TABLE containers (
        workspace_id TEXT PRIMARY KEY,
        project_id TEXT NOT NULL,
        tier TEXT NOT NULL,
        engine_id TEXT,
        image TEXT NOT NULL,
        status TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        used_at BIGINT NOT NULL
      )`,
      `CREATE TABLE audit (
        audit_id TEXT PRIMARY KEY,
        ts BIGINT NOT NULL,
        token_id TEXT,
        tool TEXT NOT NULL,
        action TEXT,
        project_id TEXT,
        arguments TEXT NOT NULL,
        outcome TEXT NOT NULL,
        error_code TEXT
      )`,
      'CREATE INDEX audit_by_time ON audit (ts)',
    ],
  },
  {
    number: 2,
    statements: [
      'ALTER TABLE prompts ADD COLUMN token_id TEXT',
      'CREATE INDEX prompts_open ON prompts (session_id) WHERE ended_at IS NULL',
    ],
  },
  { number: 3, statements: ['CREATE TABLE identity (place BIGINT PRIMARY KEY, store_id TEXT NOT NULL)'] },
];
