/** One version of a file that a session wrote. Version 1 is the session's first write to that path. */
export interface FileVersion {
  /** Absolute path. */
  readonly path: string;
  readonly version: number;
  readonly content: Buffer;
  /** Who wrote it: `agent`, or a subagent's id. */
  readonly author: string;
  /** Why: the tool's name, or what the model said. */
  readonly reason: string;
}

/** What a session saw of a file when it last read or wrote it: the basis of "changed since you read it". */
export interface ReadMark {
  /** Milliseconds since the epoch, as `stat` gives them; null for a file that exists in the session only. */
  readonly mtimeMs: number | null;
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal: a touched but equal file has not changed. */
  readonly hash: string;
  /** The session's version that was seen; 0 for a file that the session had not written. */
  readonly version: number;
}

export interface FileChange {
  readonly path: string;
  readonly content: Buffer;
  readonly author: string;
  readonly reason: string;
  /** The version that this change was made from; 0 when the session had written none. */
  readonly baseVersion: number;
}

export type WriteOutcome =
  | { readonly kind: 'written'; readonly version: FileVersion }
  /** Somebody else of the session (a subagent) wrote in between. */
  | {
      readonly kind: 'conflict';
      readonly baseVersion: number;
      readonly currentVersion: number;
      readonly author: string;
    };

/**
 * The files of a session, with their versions. In mode `virtual` nothing reaches the disk until the session is
 * applied, and the newest version is what the session's tools read. In mode `disk` every version is on disk, too.
 */
export interface SessionFiles {
  readonly mode: 'disk' | 'virtual';
  /** The newest version of an absolute path, or null when the session wrote none. */
  latest(path: string): FileVersion | null;
  /** The newest version of every file the session wrote, by path. */
  list(): readonly FileVersion[];
  /** All versions of a path, oldest first. */
  history(path: string): readonly FileVersion[];
  /**
   * Makes the next version of a path, unless it has moved on since `baseVersion`.
   *
   * @param toDisk called in mode `disk` once no conflict is certain and before the version counts; its throw undoes it
   */
  write(change: FileChange, toDisk: () => Promise<void>): Promise<WriteOutcome>;
  /** What an author last saw of a path, or null when it never read it: a subagent has not read what its parent read. */
  mark(path: string, author: string): ReadMark | null;
  setMark(path: string, author: string, mark: ReadMark): void;
}

export interface AuthoredMark {
  readonly path: string;
  readonly author: string;
  readonly mark: ReadMark;
}

export interface SessionFilesOptions {
  readonly mode?: 'disk' | 'virtual';
  /** The versions of a session that is resumed, in the order in which they were made. */
  readonly versions?: readonly FileVersion[];
  readonly marks?: readonly AuthoredMark[];
  /** Keeps a new version before `write` resolves, and gives it as it is to be remembered: without holding its content. */
  readonly onVersion?: (version: FileVersion) => FileVersion;
  readonly onMark?: (authored: AuthoredMark) => void;
}

/** Session files in memory; `versions` and `onVersion` are how a session store keeps them. */
export function createSessionFiles(options: SessionFilesOptions = {}): SessionFiles {
  const { mode = 'disk', versions = [], onVersion, onMark } = options;
  const keyOf = (path: string, author: string) => `${author}\0${path}`;
  const histories = new Map<string, FileVersion[]>();
  const marks = new Map((options.marks ?? []).map(({ path, author, mark }) => [keyOf(path, author), mark]));
  const queues = new Map<string, Promise<unknown>>();
  const remember = (version: FileVersion) => {
    const history = histories.get(version.path);
    if (history === undefined) {
      histories.set(version.path, [version]);
    } else {
      history.push(version);
    }
  };
  versions.forEach(remember);
  const latest = (path: string) => histories.get(path)?.at(-1) ?? null;

  const writeNow = async (change: FileChange, toDisk: () => Promise<void>): Promise<WriteOutcome> => {
    const { path, content, author, reason, baseVersion } = change;
    const current = latest(path);
    const currentVersion = current?.version ?? 0;
    if (currentVersion !== baseVersion) {
      return { kind: 'conflict', baseVersion, currentVersion, author: current?.author ?? author };
    }
    if (mode === 'disk') {
      await toDisk();
    }
    const version: FileVersion = { path, version: currentVersion + 1, content, author, reason };
    remember(onVersion?.(version) ?? version);
    return { kind: 'written', version };
  };

  return {
    mode,
    latest,
    list: () => [...histories.values()].flatMap((history) => history.at(-1) ?? []),
    history: (path) => histories.get(path) ?? [],
    write: (change, toDisk) => {
      // One write to a path at a time: the check of the version and the write to the disk belong together.
      const turn = (queues.get(change.path) ?? Promise.resolve()).then(() => writeNow(change, toDisk));
      const settled = turn.catch(() => undefined);
      queues.set(change.path, settled);
      return turn;
    },
    mark: (path, author) => marks.get(keyOf(path, author)) ?? null,
    setMark: (path, author, mark) => {
      marks.set(keyOf(path, author), mark);
      onMark?.({ path, author, mark });
    },
  };
}
