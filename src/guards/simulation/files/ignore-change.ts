/** What a command makes of the ignore files that git tracks (gitignore(5)): commits by name, paths from the work tree's root. */
export type IgnoreChange =
  /** They come to be as another commit has them; null: none is left. */
  | {
      readonly kind: 'checkout';
      readonly from: string | null;
      readonly to: string | null;
      /** The ref with commits of the line that are left by it, and with them what they have changed; null: there are none. */
      readonly leaves: string | null;
      /** The ref with commits of the line that it leads to. */
      readonly arrives: string | null;
    }
  /** The same of those at some pathspecs. */
  | {
      readonly kind: 'checkout-paths';
      readonly from: string;
      readonly to: string;
      readonly paths: readonly string[];
      readonly removes: boolean;
      /** That commit lacks what the line has committed. */
      readonly lacksCommitted: boolean;
    }
  /** What lies between two commits is done to them, or between a commit and where it has gone apart from HEAD. */
  | { readonly kind: 'changes'; readonly from: string; readonly to: string }
  | { readonly kind: 'merge'; readonly head: string; readonly commit: string; readonly arrives: string | null }
  | { readonly kind: 'removal'; readonly paths: readonly string[]; readonly onlyFiles: boolean }
  /** Changes of theirs are in a stash of this line, or come back from there. */
  | { readonly kind: 'put-away'; readonly files: readonly string[]; readonly head: string }
  | { readonly kind: 'put-back' }
  /** The line itself has written this before what comes next; null: it has removed the file, or nobody knows the text. */
  | { readonly kind: 'written'; readonly texts: ReadonlyMap<string, string | null> };
