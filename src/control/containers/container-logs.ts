import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExecLog } from './exec-log.ts';

/** A log for each workspace, in one directory. */
export class ContainerLogs {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  of(workspaceId: string): ExecLog {
    return new ExecLog(join(this.#directory, `${workspaceId}.jsonl`));
  }

  /** Removes those of workspaces that are gone. */
  async removeUnless(isKnown: (workspaceId: string) => Promise<boolean>): Promise<void> {
    const names = existsSync(this.#directory) ? readdirSync(this.#directory) : [];
    for (const workspaceId of new Set(names.map((name) => name.replace(/\.jsonl(?:\.1)?$/, '')))) {
      if (!(await isKnown(workspaceId))) {
        this.of(workspaceId).remove();
      }
    }
  }
}
