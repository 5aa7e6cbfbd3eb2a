/** The colours a text may carry. picocolors' object is one; hooks pass {@link ansiPaint} or {@link plainPaint}. */
export interface Paint {
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
}

const plain = (text: string): string => text;

export const plainPaint: Paint = { red: plain, yellow: plain, green: plain, cyan: plain, bold: plain, dim: plain };

const sgr =
  (open: number, close: number) =>
  (text: string): string =>
    `\x1b[${open}m${text}\x1b[${close}m`;

export const ansiPaint: Paint = {
  red: sgr(31, 39),
  yellow: sgr(33, 39),
  green: sgr(32, 39),
  cyan: sgr(36, 39),
  bold: sgr(1, 22),
  dim: sgr(2, 22),
};

/**
 * Are colours wanted? NO_COLOR (no-color.org) forbids them, FORCE_COLOR other than `0` demands them, otherwise a
 * terminal that is not `dumb` has them.
 */
export function wantsColors(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: terminal } = environment;
  if (no) {
    return false;
  }
  if (force !== undefined && force !== '') {
    return force !== '0' && force !== 'false';
  }
  return stream.isTTY === true && terminal !== 'dumb';
}

/** Colours or none, see {@link wantsColors}. */
export function choosePaint(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  return wantsColors(stream, environment) ? ansiPaint : plainPaint;
}
