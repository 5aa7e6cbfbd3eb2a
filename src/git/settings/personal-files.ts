import { join } from 'node:path';
import type { Environment } from '../runner.ts';

/** The setting that names an ignore file for all repositories: gitignore(5). */
export const excludesFile = 'core.excludesfile';

/** The directory of git's files for all repositories of a person: git-config(1) "FILES", gitignore(5), gitattributes(5). */
export function personalDirectory({ HOME = '', XDG_CONFIG_HOME }: Environment): string {
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git');
}

/** A path as a setting has it: git-config(1) "pathname". It may be relative still. */
export function configuredPath(value: string, { HOME = '' }: Environment): string {
  return value.startsWith('~/') ? join(HOME, value.slice(2)) : value;
}
