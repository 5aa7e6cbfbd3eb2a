import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Directories } from './directories.ts';
import type { Project } from './services.ts';

/** The store, the transcripts of all sessions, and the other projects. */
export function hiddenFrom({ projectId }: Project, { state, projects, trash }: Directories): readonly string[] {
  const others = existsSync(projects) ? readdirSync(projects).filter((name) => name !== projectId) : [];
  return [state, trash, ...others.map((name) => join(projects, name))];
}
