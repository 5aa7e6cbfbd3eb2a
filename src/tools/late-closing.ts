import { close, type Stats, statfsSync } from 'node:fs';

/** Descriptors that are closed together: threads are woken for all of them at once. */
const batch = 16;

/** Descriptors that may be open at once: a quarter of what systems allow that allow little. */
const most = 64;

/**
 * Kinds of file systems, as statfs(2) tells them, on disks of this machine: ext2 to ext4, XFS, Btrfs, F2FS, overlayfs. On
 * others it is not known that rename(2) puts a file in the place of an open one in one step: NFS gives that one another
 * name first.
 */
const ofDisks: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x794c7630]);

/**
 * Closes files that are replaced after they were read, while the program goes on. What a file took on the disk is freed
 * with its last name or its last descriptor, whichever goes later, and that waits for the disk where it is told of it
 * (ext4(5), option `discard`). By a name, rename(2) waits, with the directory locked; by a descriptor, a thread of Node.
 */
export interface LateClosing {
  /** @returns whether it takes the descriptor over, which is of the file at a path */
  keep(descriptor: number, path: string, stats: Stats): boolean;
  /** Closes what it has if that is much; waits while too many are open. */
  closeSome(): Promise<void>;
  /** Closes everything, and waits until that is done. */
  closeAll(): Promise<void>;
}

export function createLateClosing(): LateClosing {
  const devices = new Map<number, boolean>();
  let kept: number[] = [];
  let closing = 0;
  let wake = () => {};

  const isOnDisk = (path: string, { dev }: Stats) => {
    const known = devices.get(dev) ?? isOfDisks(path);
    devices.set(dev, known);
    return known;
  };
  const closed = () => {
    closing -= 1;
    wake();
  };
  const closeKept = () => {
    closing += kept.length;
    for (const descriptor of kept) {
      close(descriptor, closed);
    }
    kept = [];
  };
  const untilAtMost = async (count: number) => {
    while (closing > count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  return {
    keep: (descriptor, path, stats) => {
      const isWorthIt = isOnDisk(path, stats);
      if (isWorthIt) {
        kept.push(descriptor);
      }
      return isWorthIt;
    },
    closeSome: async () => {
      if (kept.length >= batch) {
        closeKept();
        await untilAtMost(most - batch);
      }
    },
    closeAll: async () => {
      closeKept();
      await untilAtMost(0);
    },
  };
}

function isOfDisks(path: string): boolean {
  try {
    return process.platform === 'linux' && ofDisks.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
