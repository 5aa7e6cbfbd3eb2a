import {
  type ArithmeticExpression,
  type Assignment,
  type DoubleQuotedChild,
  parse,
  type Word as SyntaxWord,
  type WordPart,
} from 'unbash';
import type { Budget } from '../bounds.ts';
import { placeIn, stackOf } from '../directory-stack.ts';
import { withoutStatus } from '../last-status.ts';
import type { ScriptFiles } from '../script-files.ts';
import type { ScriptOverlay } from '../script-overlay.ts';
import { type ShellState, withVariable } from '../shell-state.ts';
import { beginningOf, knownWord, type Step, type Word } from '../simple-command.ts';
import { type ArithmeticScope, evaluate } from './arithmetic.ts';
import { expandBraces } from './brace-expansion.ts';
import { fieldWord, hasPattern, joinPieces, openNumberPiece, type Piece, splitFields, valuePieces } from './field.ts';
import { type Environment, fieldSeparators, readParameter, unknownWord } from './parameter.ts';
import { expandParameter } from './parameter-expansion.ts';
import { expandPathname, ignoringNames } from './pathname-expansion.ts';
import { isExtended } from './pattern.ts';
import { readExpandedText } from './syntax.ts';
import { uniquePath } from './unique-paths.ts';

export type CommandExpansion = Extract<WordPart, { type: 'CommandExpansion' }>;
export type ProcessSubstitution = Extract<WordPart, { type: 'ProcessSubstitution' }>;

/** What expansion needs of the shell around it: substitutions run commands. */
export interface ExpansionHost {
  readonly environment: Environment;
  readonly files: ScriptFiles;
  readonly overlay: ScriptOverlay;
  readonly budget: Budget;
  /** What was found so far, in order. */
  readonly steps: readonly Step[];
  /** Runs a command substitution; its output without trailing newlines. */
  substituteCommand(part: Pick<CommandExpansion, 'script' | 'text'>, state: ShellState): Word;
  /** Runs a process substitution; the path it is read from. */
  substituteProcess(part: ProcessSubstitution, state: ShellState): Word;
  /** Expands words whose positions refer to another text. */
  within<T>(text: string, body: () => T): T;
}

const assignedHome = /^[A-Za-z_]\w*=~/;

/** Expands words in one state; expansions such as `${x:=y}` and `$((x++))` move the state on. */
export class Expansion implements ArithmeticScope {
  readonly host: ExpansionHost;
  state: ShellState;
  /** Did a command substitution run? Then its status is the assignment's. */
  substituted = false;
  /** Is there a variable without which the shell ends: `set -u`, `${x:?}`? */
  mayEnd = false;
  /** Is it not there, as far as the line tells? */
  ends = false;

  constructor(host: ExpansionHost, state: ShellState) {
    this.host = host;
    this.state = state;
  }

  /** What git or a task runner starts may get words besides those that are known here. */
  get surelyEnds(): boolean {
    return this.ends && !this.host.overlay.isUnsettled;
  }

  /** All expansions, in bash's order: one syntax word becomes no, one or several words. */
  words(words: readonly SyntaxWord[]): Word[] {
    const result: Word[] = [];
    for (const word of words) {
      if (word.parts === undefined && !word.text.startsWith('~')) {
        result.push(
          word.text.includes('=~') && assignedHome.test(word.text) ? this.#assignedHome(word) : knownWord(word.value),
        );
      } else {
        result.push(...this.#fields(word));
      }
    }
    return result;
  }

  /** A value that is neither split nor matched against files: an assignment, a redirection's target. */
  value(word: SyntaxWord, isAssigned = false): Word {
    const pieces = this.pieces(word);
    return this.#joined(isAssigned ? this.#tildes(pieces, ':') : pieces, word.text, joinPieces);
  }

  /** Declaration arguments (`export A=b`): the assignment as a word. */
  assignment(assignment: Assignment): Word | null {
    return assignment.value.type === 'Word' ? this.value(assignment.value) : null;
  }

  /** A here-document's text: expansions as within double quotes. */
  hereDocument(text: string, parts: readonly WordPart[] | undefined): Word {
    if (parts === undefined) {
      return knownWord(text.replace(/\\([\\$`\n])/g, (_, character: string) => (character === '\n' ? '' : character)));
    }
    return this.#counted(joinPieces(this.#piecesOf(parts, true), text));
  }

  /** What a value becomes that bash expands though it comes from a variable: a prompt, an index, the name of a file. */
  expandValue(text: string): Word {
    const read = readExpandedText(text);
    if (read === null) {
      return knownWord(text);
    }
    const { source, parts } = read;
    const word = this.host.budget.deeper(() => this.host.within(source, () => this.hereDocument(text, parts)));
    return word.kind === 'known' ? knownWord(word.value.replace(/\n$/, '')) : word;
  }

  /** The pieces of a word, before splitting. */
  pieces(word: SyntaxWord, quoted = false): Piece[] {
    this.host.budget.visit();
    const parts = word.parts;
    const pieces: Piece[] =
      parts === undefined ? [{ kind: quoted ? 'quoted' : 'literal', text: word.value }] : this.#piecesOf(parts, quoted);
    return quoted || !word.text.startsWith('~') ? pieces : this.#tilde(pieces);
  }

  #fields(word: SyntaxWord): Word[] {
    if (word.parts?.some((part) => part.type === 'BraceExpansion')) {
      return this.#braces(word);
    }
    return splitFields(this.pieces(word), fieldSeparators(this.state)).flatMap((field) =>
      this.#matched(field, word.text),
    );
  }

  #braces(word: SyntaxWord): Word[] {
    const texts = expandBraces(word.text);
    if (texts === null) {
      return [unknownWord(word.text, 'its braces expand to too many words')];
    }
    if (texts.length === 1 && texts[0] === word.text) {
      return [knownWord(word.value)];
    }
    return texts.flatMap((text) => {
      if (text === '') {
        return [];
      }
      const [statement] = parse(`: ${text}`).commands;
      const command = statement?.command;
      const words = command?.type === 'Command' ? command.args.filter((argument) => argument.type === 'Word') : [];
      return words.flatMap((part) =>
        part.parts?.some((inner) => inner.type === 'BraceExpansion') ? [knownWord(part.value)] : this.words([part]),
      );
    });
  }

  #paths(field: readonly Piece[], cwd: string): readonly string[] | null {
    const { options, variables } = this.state;
    const ignored = variables.size === 0 ? undefined : variables.get('GLOBIGNORE');
    if (ignored?.kind !== 'scalar' || beginningOf(ignored.value) === '') {
      return expandPathname(field, cwd, this.host.overlay, options);
    }
    const ignoring = ignoringNames(beginningOf(ignored.value), options);
    const paths = expandPathname(field, cwd, this.host.overlay, ignoring.options);
    return paths?.filter((path) => !ignoring.leavesOut(path)) ?? null;
  }

  #matched(field: readonly Piece[], source: string): Word[] {
    const word = this.#joined(field, source, fieldWord);
    if (!hasPattern(field) || this.state.options.noglob) {
      return [word];
    }
    const { cwd } = this.state;
    const paths = word.kind === 'known' && cwd.kind === 'known' ? this.#paths(field, cwd.path) : null;
    if (paths !== null) {
      return paths.length > 0 ? paths.map(knownWord) : [this.state.options.nullglob ? perhapsNone(word, source) : word];
    }
    const text = beginningOf(word);
    const end = word.kind === 'known' ? word.value : word.suffix;
    const [before, behind] = field.some(isExtended) ? [/^[^*?[+@!]*/, /[^*?\])]*$/] : [/^[^*?[]*/, /[^*?\]]*$/];
    return [
      {
        ...unknownWord(source, `the files that ${source} matches are not known`),
        prefix: before.exec(text)?.[0] ?? '',
        suffix: behind.exec(end)?.[0] ?? '',
      },
    ];
  }

  /** One word of its pieces. */
  #joined(pieces: readonly Piece[], source: string, join: typeof joinPieces): Word {
    const isUnique = pieces.some((piece) => piece.kind === 'unknown' && piece.of?.unique !== undefined);
    const path = isUnique ? uniquePath(pieces, this.host.overlay, this.host.environment, this.state.cwd) : null;
    return this.#counted(path === null ? join(pieces, source) : knownWord(path));
  }

  #counted(word: Word): Word {
    this.host.budget.text(word.kind === 'known' ? word.value.length : word.prefix.length + word.suffix.length);
    return word;
  }

  #tilde(pieces: Piece[]): Piece[] {
    const [first, ...rest] = pieces;
    if (first?.kind !== 'literal') {
      return pieces;
    }
    const [, login = '', tail = ''] = /^~([^/:]*)([\s\S]*)$/.exec(first.text) ?? [];
    if (/^[-+]?\d+$/.test(login)) {
      return [...this.#stacked(login, first.text.slice(0, 1 + login.length)), { kind: 'quoted', text: tail }, ...rest];
    }
    if (login !== '' && login !== '+' && login !== '-') {
      return [
        { kind: 'unknown', reason: `the home directory of ${login} is not known`, quoted: true },
        { kind: 'quoted', text: tail },
        ...rest,
      ];
    }
    const name = login === '' ? 'HOME' : login === '+' ? 'PWD' : 'OLDPWD';
    const home = readParameter(name, null, this.state, this.host.environment);
    const value = home.kind === 'value' || home.kind === 'unknown' ? home.word : knownWord(first.text);
    return [...valuePieces(value, true), { kind: 'quoted', text: tail }, ...rest];
  }

  /** `~1`, `~-0`: a directory of the stack; what there is not stays as it is. */
  #stacked(place: string, source: string): readonly Piece[] {
    const stack = stackOf(this.state);
    const directory = stack?.[placeIn(stack, place.replace(/^\d/, '+$&'))];
    if (stack !== null && directory === undefined) {
      return [{ kind: 'quoted', text: source }];
    }
    return directory?.kind === 'known'
      ? [{ kind: 'quoted', text: directory.path }]
      : [{ kind: 'unknown', reason: 'what the directory stack holds is not known', quoted: true }];
  }

  /** `NAME=~/x` as an argument: the tilde stands for the home directory there too. */
  #assignedHome(word: SyntaxWord): Word {
    const equals = word.value.indexOf('=') + 1;
    const home = this.#tilde([{ kind: 'literal', text: word.value.slice(equals) }]);
    return joinPieces([{ kind: 'literal', text: word.value.slice(0, equals) }, ...home], word.text);
  }

  /** In an assignment the tilde is also expanded after a colon. */
  #tildes(pieces: readonly Piece[], separator: string): Piece[] {
    return pieces.flatMap((piece) => {
      if (piece.kind !== 'literal' || !piece.text.includes(`${separator}~`)) {
        return [piece];
      }
      return piece.text.split(separator).flatMap((text, index): Piece[] => {
        const part =
          index > 0 && text.startsWith('~')
            ? this.#tilde([{ kind: 'literal', text }])
            : [{ kind: 'literal', text } as const];
        return index === 0 ? part : [{ kind: 'literal', text: separator }, ...part];
      });
    });
  }

  #piecesOf(parts: readonly WordPart[] | readonly DoubleQuotedChild[], quoted: boolean): Piece[] {
    const pieces: Piece[] = [];
    for (const part of parts) {
      pieces.push(...this.#part(part, quoted));
    }
    return pieces;
  }

  #part(part: WordPart, quoted: boolean): Piece[] {
    switch (part.type) {
      case 'Literal':
        return [{ kind: quoted ? 'quoted' : 'literal', text: part.value }];
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [{ kind: 'quoted', text: part.value }];
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#doubleQuoted(part.parts);
      case 'Glob':
        return [{ kind: quoted ? 'quoted' : 'glob', text: part.text }];
      case 'ExtendedGlob':
        return [extendedPiece(part.text, quoted)];
      case 'BraceExpansion':
        return [{ kind: 'literal', text: part.text }];
      case 'SimpleExpansion':
        return expandParameter({ parameter: part.text.slice(1), text: part.text }, quoted, this);
      case 'ParameterExpansion':
        return expandParameter(part, quoted, this);
      case 'CommandExpansion':
        return valuePieces(this.substituteCommand(part), quoted);
      case 'ProcessSubstitution':
        return valuePieces(this.host.substituteProcess(part, this.state), true);
      case 'ArithmeticExpansion': {
        const result = part.expression === undefined ? 0 : evaluate(part.expression, this);
        return result === null
          ? [openNumberPiece(part.text, quoted)]
          : [{ kind: quoted ? 'quoted' : 'split', text: String(result) }];
      }
    }
  }

  #doubleQuoted(parts: readonly DoubleQuotedChild[]): Piece[] {
    const pieces = this.#piecesOf(parts, true);
    const emptyList =
      pieces.length === 0 && parts.some((part) => /^\$(?:@|\{[^}]*(?:@|\[@\])[^}]*\})$/.test(part.text));
    return pieces.length === 0 && !emptyList ? [{ kind: 'quoted', text: '' }] : pieces;
  }

  substituteCommand(part: Pick<CommandExpansion, 'script' | 'text'>): Word {
    this.substituted = true;
    const word = this.host.substituteCommand(part, this.state);
    this.state = withoutStatus(this.state);
    return word;
  }

  read(name: string): string | null {
    const value = readParameter(name, null, this.state, this.host.environment);
    if (value.kind === 'unset') {
      return '0';
    }
    return value.kind === 'value' && value.word.kind === 'known' ? value.word.value : null;
  }

  assign(name: string, value: number | null): void {
    const word =
      value === null ? unknownWord(`$${name}`, `the value of ${name} is not known`) : knownWord(String(value));
    this.assignWord(name, word);
  }

  assignWord(name: string, value: Word): void {
    const before = this.state.variables.get(name);
    const exported = before?.kind === 'scalar' ? before.exported : this.host.environment[name] !== undefined;
    this.state = withVariable(this.state, name, { kind: 'scalar', value, exported });
  }

  /** What an operand of arithmetic is. */
  joined(word: ArithmeticExpression & { type: 'ArithmeticWord' }): Word {
    return joinPieces(this.#piecesOf(word.parts ?? [], true), word.value);
  }

  expand(word: ArithmeticExpression & { type: 'ArithmeticWord' }): string | null {
    const joined = this.joined(word);
    return joined.kind === 'known' ? joined.value : null;
  }

  substitute(expansion: ArithmeticExpression & { type: 'ArithmeticCommandExpansion' }): string | null {
    const word = this.substituteCommand(expansion);
    return word.kind === 'known' ? word.value : null;
  }
}

/** bash(1) "nullglob": no word, or whatever a command before has made. */
function perhapsNone(pattern: Word, source: string): Word {
  const word = unknownWord(source, `whether ${source} matches any file is not known`);
  const isPlain = pattern.kind === 'known' && !/\s/.test(pattern.value);
  return isPlain ? { ...word, oneOf: ['', pattern.value] } : word;
}

/** bash(1) "extglob": a list of plain patterns is read, one that holds lists or expansions is not. */
function extendedPiece(text: string, quoted: boolean): Piece {
  const piece: Piece = { kind: quoted ? 'quoted' : 'glob', text };
  return isExtended(piece) && !/["'$`\\]/.test(text)
    ? piece
    : { kind: 'unknown', reason: `the files that ${text} matches are not known`, quoted };
}
