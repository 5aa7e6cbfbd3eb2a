/** GNU make, by the names that systems give it. */
export const makeNames: readonly string[] = ['make', 'gmake', 'bmake', 'remake'];
/** GNU make's own, in the order in which it looks: make(1). */
export const makefiles: readonly string[] = ['GNUmakefile', 'makefile', 'Makefile'];
/** just's, of which any letter may be a capital. */
export const justfiles: readonly string[] = ['justfile', 'Justfile', '.justfile'];
/** Task's. */
export const taskfiles: readonly string[] = [
  'Taskfile.yml',
  'taskfile.yml',
  'Taskfile.yaml',
  'taskfile.yaml',
  'Taskfile.dist.yml',
];
