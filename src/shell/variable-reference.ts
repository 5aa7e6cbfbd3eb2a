/** How a script refers to a variable at the end of `text`. */
export function referenceAfter(text: string, name: string): string {
  return isInSingleQuotes(text) ? `'"\${${name}}"'` : `\${${name}}`;
}

function isInSingleQuotes(text: string): boolean {
  return (text.replace(/\\.|"(?:[^"\\]|\\.)*"/gs, '').match(/'/g)?.length ?? 0) % 2 === 1;
}
