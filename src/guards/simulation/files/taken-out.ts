/** Where the work is that a commit of the line has of a file: in the index, and in the work tree? */
export interface TakenOut {
  readonly index: 'held' | 'other' | 'nothing';
  readonly inTree: boolean;
}
