/**
 * A text without halves of characters (surrogates without their other half). Models write some at times; the providers'
 * servers refuse a request that holds one, and the conversation could never go on.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The same for all texts in a JSON value. */
export function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') {
    return wellFormed(value);
  }
  if (Array.isArray(value)) {
    return value.map(wellFormedValue);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), wellFormedValue(part)]))
    : value;
}
