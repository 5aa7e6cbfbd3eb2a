/** What the line has made of the index at some paths, whatever HEAD has there. */
export interface Reindexed {
  /** By the path from the work tree's root. */
  readonly isMeant: (path: string) => boolean;
  /** Of a commit: what that has there. */
  readonly has: 'work tree' | 'nothing' | { readonly commit: string };
}
