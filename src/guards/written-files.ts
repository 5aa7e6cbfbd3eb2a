import { diskFiles, type ScriptFiles } from '../shell/script-files.ts';

/**
 * The disk as the command line leaves it before git starts another program: files that it has written are read as they
 * are then.
 *
 * @param texts by absolute path; null where the text can't be known
 */
export function filesAfter(texts: ReadonlyMap<string, string | null>): ScriptFiles {
  return texts.size === 0
    ? diskFiles
    : {
        ...diskFiles,
        readText(path, limit) {
          const text = texts.get(path);
          return text === undefined
            ? diskFiles.readText(path, limit)
            : text === null
              ? { kind: 'unreadable', reason: `what was written to ${path} is not known` }
              : { kind: 'text', text };
        },
      };
}
