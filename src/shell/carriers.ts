import { runFind } from './argument-feeders.ts';
import type { ProgramReader } from './call.ts';

/** Programs that take a command, or a whole program that starts one, from their options, their input or a file. */
export const carriers: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([['find', runFind]]);
