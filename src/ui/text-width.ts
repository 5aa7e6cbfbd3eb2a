const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const empty = /\p{Mn}|\u200d|\ufe0f|\u200b|\ufeff/u;

/** Columns of a terminal that a text without colours takes. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return text.length;
  }
  let total = 0;
  for (const character of text) {
    total += empty.test(character) ? 0 : wide.test(character) ? 2 : 1;
  }
  return total;
}
