/** A commit as evidence shows it. */
export interface CommitSummary {
  /** Full object name, 40 or 64 hexadecimal digits. */
  readonly oid: string;
  readonly subject: string;
  readonly author: string;
  /** Author date, ISO 8601. */
  readonly date: string;
}

/** Commits that are at stake: the newest ones by name, and how many there are in all. */
export interface CommitList {
  readonly commits: readonly CommitSummary[];
  readonly total: number;
}
