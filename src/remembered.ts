/**
 * A function that looks each thing up once.
 *
 * @param find what is called for each key that has not been asked for before; `undefined` is no answer that is remembered
 */
export function remembered<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) {
      return before;
    }
    const value = find(key);
    known.set(key, value);
    return value;
  };
}
