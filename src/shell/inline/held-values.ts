import { remembered } from '../../remembered.ts';
import type { OwnFunctions } from './own-functions.ts';
import type { OpenText, SourceArgument } from './source/argument.ts';
import { readArgument } from './source/arguments.ts';
import type { SourceCode } from './source/code.ts';
import { ownFields } from './source/fields.ts';
import { joinedList, joinIn } from './source/lists.ts';
import { quotedIn } from './source/quoted-words.ts';
import { placed } from './source/substitution.ts';
import { memberNames, tableHeldBy, withMembers } from './source/tables.ts';
import { textOfArgument } from './source/templates.ts';
import { heldBy } from './source/variables.ts';

/** Variables that hold variables are followed so deep. */
const maximumDepth = 3;

/** What the variables, tables and fields of a program hold. */
export class HeldValues {
  readonly #program: SourceCode;
  readonly #own: OwnFunctions;
  #fields: SourceArgument | null = null;
  readonly #heldBy = remembered((name: string) => heldBy(name, this.#program));
  readonly #tableHeldBy = remembered((name: string) => tableHeldBy(name, this.#program));

  constructor(program: SourceCode, own: OwnFunctions) {
    this.#program = program;
    this.#own = own;
  }

  /** A table for the name of one. */
  asTable(argument: SourceArgument): SourceArgument {
    return argument.kind === 'name' ? (this.#tableHeldBy(argument.name) ?? argument) : argument;
  }

  /**
   * The argument, with variables replaced that hold a literal.
   *
   * @param shadowing names that are others there
   * @param depth how many variables within variables are followed
   */
  resolved(
    argument: SourceArgument,
    shadowing: readonly string[] = [],
    depth = maximumDepth,
  ): readonly SourceArgument[] {
    if (depth === 0) {
      return [argument];
    }
    switch (argument.kind) {
      case 'name': {
        const value = shadowing.includes(argument.name) ? null : this.#heldBy(argument.name);
        return value === null || (argument.isSpread && value.kind !== 'list' && argument.separator === undefined)
          ? [argument]
          : placed(argument, value).flatMap((one) => this.resolved(one, shadowing, depth - 1));
      }
      case 'list':
        return [{ kind: 'list', items: argument.items.flatMap((item) => this.resolved(item, shadowing, depth)) }];
      case 'text':
        return [
          {
            kind: 'text',
            text: textOfArgument(this.#member(argument)).flatMap((part) => this.#resolvedPart(part, shadowing)),
          },
        ];
      case 'other': {
        const value = this.#member(argument);
        return value === argument ? [argument] : this.resolved(value, shadowing, depth - 1);
      }
    }
  }

  /** With what tables hold that variables are given. */
  #member(argument: SourceArgument): SourceArgument {
    return memberNames(argument).length === 0
      ? argument
      : withMembers(argument, (name) => (/^(?:self|this)$/.test(name) ? this.#ownFields() : this.#tableHeldBy(name)));
  }

  #ownFields(): SourceArgument {
    this.#fields ??= ownFields(this.#program, (position) => this.#own.around(position));
    return this.#fields;
  }

  #resolvedPart(part: OpenText[number], shadowing: readonly string[]): OpenText {
    const [, , text] = typeof part === 'string' ? [] : (/^(["'])([^"'\\]*)\1$/.exec(part.expression) ?? []);
    if (text !== undefined) {
      return [text];
    }
    const quoted = typeof part === 'string' ? null : quotedIn(part.expression);
    if (quoted !== null) {
      const value = this.#whole(quoted.of, shadowing);
      return value === null ? [part] : [quoted.by(value)];
    }
    const join = typeof part === 'string' ? null : joinIn(part.expression);
    if (join !== null) {
      const items = this.resolved({ kind: 'name', name: join.name, isSpread: true }, shadowing, 1);
      return joinedList({ items }, join.separator).text;
    }
    const value =
      typeof part === 'string' || shadowing.includes(part.expression) ? null : this.#heldBy(part.expression);
    return value?.kind === 'text' ? value.text : [part];
  }

  /** The text that a literal is, or the variable of a name; null where not all of it is known. */
  #whole(expression: string, shadowing: readonly string[]): string | null {
    const value = shadowing.includes(expression) ? null : this.#heldBy(expression);
    const own = value ?? readArgument(expression, this.#program.interpolation);
    const text = own.kind === 'text' ? own.text : [null];
    return text.every((one) => typeof one === 'string') ? text.join('') : null;
  }
}
