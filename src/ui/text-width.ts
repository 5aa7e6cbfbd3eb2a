/** Columns of a terminal that a text without colours takes. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return text.length;
  }
  let total = 0;
  for (const character of text) {
    total += characterWidth(character);
  }
  return total;
}

/** The expressions stand here, not outside: hooks load this module, and nearly none of them meets such a character. */
function characterWidth(character: string): number {
  if (/\p{Mn}|\u200d|\ufe0f|\u200b|\ufeff/u.test(character)) {
    return 0;
  }
  const isWide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
  return isWide.test(character) ? 2 : 1;
}
