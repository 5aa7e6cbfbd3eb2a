import { type ArithmeticExpression, parse, type WordPart } from 'unbash';

/** Reads an arithmetic expression from text; null where it is none. */
export function parseArithmetic(text: string): ArithmeticExpression | null {
  const [statement] = parse(`((${text === '' ? '0' : text}))`).commands;
  const command = statement?.command;
  return command?.type === 'ArithmeticCommand' ? (command.expression ?? null) : null;
}

/** A text that is expanded as a here-document is; `source` is what the positions of its parts refer to. */
export interface ExpandedText {
  readonly source: string;
  readonly parts: readonly WordPart[];
}

/** @returns null where there is nothing to expand */
export function readExpandedText(text: string): ExpandedText | null {
  let end = 'END';
  while (text.includes(end)) {
    end += '_';
  }
  const source = `: <<${end}\n${text}\n${end}\n`;
  const [statement] = parse(source).commands;
  const command = statement?.command;
  const [document] = command?.type === 'Command' ? command.redirects : [];
  const parts = document?.type === 'HereDoc' ? document.body?.parts : undefined;
  return parts === undefined ? null : { source, parts };
}
