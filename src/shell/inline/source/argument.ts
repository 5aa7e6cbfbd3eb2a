/** A piece of text of which a part may be inserted when the program runs. */
export type OpenText = readonly (string | { readonly expression: string })[];

/** One argument of a call in an inline program, as far as it can be read. */
export type SourceArgument =
  | { readonly kind: 'text'; readonly text: OpenText }
  | {
      readonly kind: 'list';
      readonly items: readonly SourceArgument[];
      /** The text that it was before it was taken apart. */
      readonly text?: OpenText;
    }
  /** `args`, all of its items (`*args`, `...args`), or the parts of a text (`args.split()`); an option's value, which may be left out. */
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly isSpread: boolean;
      readonly separator?: RegExp;
      readonly isOption?: true;
      /** Without those of its items that are empty. */
      readonly withoutEmpty?: true;
    }
  | { readonly kind: 'other'; readonly written: string };
