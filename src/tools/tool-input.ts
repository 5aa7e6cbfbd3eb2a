import type { z } from 'zod';
import { failure, type ToolFailure } from './tool-result.ts';

/** A tool's input after validation: aliases resolved, the fields named as on the wire. */
export type ToolInput = Readonly<Record<string, unknown>>;

export type Validation<Input = ToolInput> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly failure: ToolFailure };

/**
 * The one place where a tool's input is checked. Every problem names the field, what it must be and what it is; the
 * whole ends with an example that is valid.
 *
 * @param example a valid input of this tool
 */
export function validateInput<Schema extends z.ZodType>(
  tool: string,
  schema: Schema,
  example: unknown,
  input: unknown,
): Validation<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return { ok: true, input: parsed.data };
  }
  const problems = inputProblems(parsed.error, input, example);
  const lines = problems.map(({ text }) => `- ${text}`).join('\n');
  return {
    ok: false,
    failure: failure('invalid-input', `Invalid input for ${tool}:\n${lines}`, {
      remedy: `\nA valid input: ${JSON.stringify(example)}`,
      data: { problems },
    }),
  };
}

/**
 * What is wrong with an input, field by field, in words that say what to send instead.
 *
 * @param example a valid input, or as much of one as is known
 */
export function inputProblems(error: z.ZodError, input: unknown, example: unknown): readonly InputProblem[] {
  return error.issues.map((issue) => describe(issue, input, example));
}

export interface InputProblem {
  /** Dotted path: `edits.0.old_string`; empty for the input as a whole. */
  readonly field: string;
  readonly text: string;
}

/** A schema's own words that are a sentence's end: `must be an id`, and no noun to follow "must be". */
const isPredicate = /^(?:must|has|is|names|gives|or) /;

function describe(issue: z.core.$ZodIssue, input: unknown, example: unknown): InputProblem {
  const field = issue.path.map(String).join('.');
  const name = field === '' ? 'the input' : `\`${field}\``;
  const value = valueAt(input, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(isRecord(example) ? example : {});
    const fields = field === '' && known.length > 0 ? `; known are, among others, ${known.join(', ')}` : '';
    return { field, text: `${name} has no field ${issue.keys.map((key) => `\`${key}\``).join(', ')}${fields}` };
  }
  if ((issue.code === 'custom' || issue.code === 'invalid_format') && isPredicate.test(issue.message)) {
    return { field, text: `${name} ${issue.message}${value === undefined || field === '' ? '' : `: ${shown(value)}`}` };
  }
  const must = requirement(issue);
  const is = value === undefined ? 'is missing' : `is ${shown(value)}`;
  const sample = valueAt(example, issue.path);
  const shownSample = sample === undefined || field === '' ? '' : ` (for example ${shown(sample)})`;
  return { field, text: `${name} must be ${must}${shownSample}, but ${is}` };
}

function requirement(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return noun(issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, 'at least', Number(issue.minimum));
    case 'too_big':
      return bound(issue.origin, 'at most', Number(issue.maximum));
    case 'custom':
      return issue.message;
    default:
      return `valid: ${issue.message}`;
  }
}

function bound(origin: string, how: string, limit: number): string {
  if (origin === 'string') {
    return how === 'at least' && limit === 1 ? 'a text that is not empty' : `a text of ${how} ${limit} characters`;
  }
  if (origin === 'array' || origin === 'set') {
    return `a list of ${how} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  }
  return `${how} ${limit}`;
}

function noun(expected: string): string {
  const nouns: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return nouns[expected] ?? expected;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) {
      // An example has fewer entries than an input may have: any of them shows the form.
      current = current[Number(key)] ?? undefined;
    } else if (isRecord(current)) {
      current = current[String(key)];
    } else {
      return undefined;
    }
  }
  return current;
}

/** Is it an object with fields, and no list? */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
