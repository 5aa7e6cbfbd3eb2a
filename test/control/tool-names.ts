/** What clients see: tools with actions, and tools that do one thing. */
export const actionsOfTools: Readonly<Record<string, readonly string[]>> = {
  project: ['create', 'list', 'get', 'delete'],
  container: ['start', 'stop', 'logs', 'exec'],
  session: ['spawn', 'message', 'get', 'list', 'end', 'events', 'cleanup'],
  workspace: ['list', 'delete'],
  token: ['create', 'list', 'revoke'],
  schedule: ['create', 'list', 'get', 'update', 'delete', 'trigger'],
};
export const standalone = [
  'project_options',
  'project_changes',
  'project_tasks',
  'image_rebuild',
  'caller_tool_response',
  'config_limits',
];
