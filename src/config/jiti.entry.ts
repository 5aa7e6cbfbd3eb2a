/** What reads a TypeScript configuration, as a file that a thread can load. */
export { createJiti } from 'jiti';
