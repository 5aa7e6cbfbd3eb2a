import { type ArithmeticExpression, parse } from 'unbash';

/** Reads an arithmetic expression from text; null where it is none. */
export function parseArithmetic(text: string): ArithmeticExpression | null {
  const [statement] = parse(`((${text === '' ? '0' : text}))`).commands;
  const command = statement?.command;
  return command?.type === 'ArithmeticCommand' ? (command.expression ?? null) : null;
}
