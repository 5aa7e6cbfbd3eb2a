import { remembered } from '../../remembered.ts';
import { onlyBinding } from './conditions/only-binding.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';

/** `TEMPLATE.format(`, not `self.template.format(`. */
const formatted = /(?<![\w$.])([A-Za-z_]\w*)(?=\s*\.\s*format\s*\()/g;
/** A text of one line without a prefix that changes how it is read. */
const literal = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')$/;
/** Gives names other values by texts. */
const dynamic = /\b(?:globals|locals|vars|exec|eval|setattr)\s*\(/;

/** The source of a program in Python with each template where it is filled in, if its name never has another value. */
export function withTemplatesInPlace({ name }: Language, source: string): string {
  if (name !== 'python' || !/[A-Za-z_]\w*\s*\.\s*format\s*\(/.test(source) || dynamic.test(source)) {
    return source;
  }
  const code = codeOf(source, true);
  const bindingOf = remembered((variable: string) => onlyBinding(variable, code, true));
  return Array.from(code.matchAll(formatted)).reduceRight((text, { index, 1: variable = '' }) => {
    const binding = bindingOf(variable);
    const [from, to] = binding?.within ?? [0, 0];
    const value = binding === null || binding.item !== null ? '' : source.slice(...binding.value).trim();
    return literal.test(value) && from <= index && index < to
      ? text.slice(0, index) + value + text.slice(index + variable.length)
      : text;
  }, source);
}
