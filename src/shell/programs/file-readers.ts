const readers: Readonly<Record<string, string>> = {
  py: 'python3',
  ...Object.fromEntries(['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((ending) => [ending, 'node'])),
  rb: 'ruby',
  sh: 'sh',
  bash: 'sh',
};

/** The program that reads files whose names end like this one, where no first line asks for another; null: any. */
export function readerByName(file: string): string | null {
  const ending = /\.(\w+)$/.exec(file)?.[1] ?? '';
  return Object.hasOwn(readers, ending) ? (readers[ending] ?? null) : null;
}
