import { redact } from '../audit/redaction.ts';
import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';

/** Takes a secret out of the environment: nothing that this process starts inherits it. Null: it is not set. */
export function takeSecret(name: string): string | null {
  const value = process.env[name];
  delete process.env[name];
  return value === undefined || value === '' ? null : value;
}

/** The store's URL: of the command line, or of the environment, where it leaves no trace in the list of processes. */
export function controlStore(option: string | null): string | null {
  const variable = takeSecret('OXIDE_GUARD_STORE');
  return option ?? variable;
}

/** A store's URL as it may be shown. */
export function redactedStore(url: string): string {
  return redact(url).split('?')[0] ?? '';
}

/** What the server tells whoever runs it, without the secrets that a failed call may have had in it. */
export function printNotice(console: Console, text: string): void {
  console.err(`${console.colors.yellow('oxide-guard:')} ${redact(text).split('\n').map(printable).join('\n')}`);
}
