interface Terminal {
  readonly isTTY?: boolean;
}

/**
 * Can the terminal UI be drawn? It takes a terminal on both sides that can move its cursor. In CI there is nobody to
 * look at it, even where a terminal is feigned.
 */
export function canDraw(
  input: Terminal,
  output: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return input.isTTY === true && output.isTTY === true && environment.TERM !== 'dumb' && !isContinuous(environment);
}

/** As ink tells it, which draws nothing there. */
function isContinuous(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { CI: ci } = environment;
  return (
    ci !== '0' &&
    ci !== 'false' &&
    Object.keys(environment).some(
      (name) => name === 'CI' || name === 'CONTINUOUS_INTEGRATION' || name.startsWith('CI_'),
    )
  );
}
