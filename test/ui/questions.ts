/** One answer of two. */
export const database = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'One file, no server' },
    { label: 'PostgreSQL', description: 'A server, many writers' },
  ],
  multiSelect: false,
};

/** Several answers of three. */
export const checks = {
  question: 'Which checks?',
  header: 'Checks',
  options: [
    { label: 'Types', description: 'tsc' },
    { label: 'Tests', description: 'vitest' },
    { label: 'Format', description: 'biome' },
  ],
  multiSelect: true,
};
