/** One task of a change. */
export interface ChangeTask {
  /** Its place in the list, from 1. */
  readonly id: string;
  readonly description: string;
  readonly done: boolean;
  /** The heading it stands under; null before the first. */
  readonly section: string | null;
}

/** Reads the check boxes of a tasks.md: `- [x] 1.1 Write it`, at any depth. Those in a code block are none. */
export function parseTasks(markdown: string): readonly ChangeTask[] {
  const tasks: ChangeTask[] = [];
  let section: string | null = null;
  let fence: string | null = null;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      fence = mark?.startsWith(fence) === true ? null : fence;
      continue;
    }
    fence = mark;
    section = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1] ?? section;
    const found = /^\s*[-*+]\s+\[(?<box>[ xX])\]\s+(?<description>\S.*)$/.exec(line)?.groups;
    if (found?.description !== undefined) {
      tasks.push({
        id: String(tasks.length + 1),
        description: found.description.trim(),
        done: found.box !== ' ',
        section,
      });
    }
  }
  return tasks;
}
