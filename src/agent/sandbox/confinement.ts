/**
 * What a sandboxed process may do, as absolute paths without symbolic links that exist. The deepest path that covers a
 * file decides; of the same path, `hidden` is stronger than `protected`, and that stronger than `writable`.
 */
export interface Confinement {
  /** Directories. Everything else is read-only. */
  readonly writable: readonly string[];
  /** Files and directories in writable ones that stay read-only. */
  readonly protected: readonly string[];
  /** Files and directories that seem to be empty. */
  readonly hidden: readonly string[];
  readonly network: boolean;
}

/** The strength of a kind where two name the same path. */
const kinds = ['writable', 'protected', 'hidden'] as const;

export interface Rule {
  readonly path: string;
  readonly kind: (typeof kinds)[number];
}

/**
 * The rules of a confinement, outer paths before inner ones, each path once. Between a protected path and the writable
 * directory around it, each directory is a writable one of its own: as a mount point it can't be renamed, which would
 * take what is protected out of the way.
 */
export function rulesOf(confinement: Confinement): readonly Rule[] {
  const rules = new Map<string, Rule['kind']>();
  const add = (path: string, kind: Rule['kind']) => {
    const present = rules.get(path);
    if (present === undefined || kinds.indexOf(kind) > kinds.indexOf(present)) {
      rules.set(path, kind);
    }
  };
  for (const kind of kinds) {
    for (const path of confinement[kind]) {
      add(path, kind);
    }
  }
  for (const path of [...confinement.protected, ...confinement.hidden]) {
    for (const between of directoriesBetween(path, confinement.writable)) {
      if (!rules.has(between)) {
        add(between, 'writable');
      }
    }
  }
  return [...rules].map(([path, kind]) => ({ path, kind })).sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

/** The directories above a path and below the nearest writable one; none where no writable one is above it. */
function directoriesBetween(path: string, writable: readonly string[]): readonly string[] {
  const between: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const directory = path.slice(0, end);
    if (writable.includes(directory)) {
      return between;
    }
    between.push(directory);
  }
  return [];
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
