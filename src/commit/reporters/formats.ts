import { github } from './github.ts';
import { json } from './json.ts';
import type { Reporter } from './reporter.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

/** Every format of `lint --format`. */
export const formats: Readonly<Record<string, Reporter>> = { text, json, github, sarif };
