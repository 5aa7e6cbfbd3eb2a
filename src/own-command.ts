import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const name = 'oxide-guard';

/**
 * How a person's shell starts this program: a project's devDependency is not on PATH. npm and npx put `.bin`
 * directories there for the programs that they run, which tells nothing of a person's own shell.
 *
 * @param module URL of a module of the running copy
 */
export function ownCommand(module = import.meta.url, path = process.env.PATH ?? ''): string {
  const isDependency = /[\\/]node_modules[\\/]/.test(decodeURI(module));
  return isDependency && !isOnPath(path) ? `npx ${name}` : name;
}

function isOnPath(path: string): boolean {
  const file = process.platform === 'win32' ? `${name}.cmd` : name;
  return path
    .split(delimiter)
    .some((directory) => !/node_modules[\\/]\.bin[\\/]?$/.test(directory) && existsSync(join(directory, file)));
}

let command: string | undefined;

/** A text in which `oxide-guard …`, where it is a command, is written as a person's shell needs it. */
export function pasteable(text: string): string {
  if (!text.includes(name)) {
    return text;
  }
  command ??= ownCommand();
  return command === name ? text : withCommand(text, command);
}

/** Where a command begins only: `git push oxide-guard main` names a remote. */
export function withCommand(text: string, command: string): string {
  return text.replace(/(?<=^|→ |&& |: |… |or +|`|\()oxide-guard(?= [a-z-])/gm, command);
}
