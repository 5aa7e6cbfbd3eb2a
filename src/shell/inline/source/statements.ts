import { bracketStep } from './brackets.ts';

/** Behind the arguments of a call without brackets: `system "git", "push" or die`, `system "git", "push" if ready`. */
const behindWords = /(?:[;)\]}]|\n|\|\||&&|\?\s|(?<=\s)(?:or|and|if|unless|do|then|rescue|while|until|for|end)\b)/y;

/** Where the words end that a statement of Ruby, Perl or PHP gives to a call or a variable. */
export function endOfWords(code: string, start: number): number {
  let level = 0;
  for (let index = start; index < code.length; index += 1) {
    const isEnd = level === 0 && endsHere(code, index);
    if (isEnd && !(code[index] === '\n' && /[,\\]\s*$/.test(code.slice(Math.max(start, index - 40), index)))) {
      return index;
    }
    level += bracketStep(code.charAt(index));
  }
  return code.length;
}

function endsHere(code: string, index: number): boolean {
  behindWords.lastIndex = index;
  return behindWords.test(code);
}

/** Words that begin and end what Ruby has blocks of. */
const blockWord = /(?<![\w.:@$])(def|class|module|begin|case|do|if|unless|while|until|for|end)(?![\w?!:=])/g;
/** Before a condition or a loop that is no part of the statement before it. */
const beforeStatement = /(?:^|[;=({|,[]|&&|\|\||\b(?:then|do|else|begin|ensure|and|or|not|return))\s*$/;

/** Where the `end` stands behind that closes the block of Ruby in which a position stands. */
export function endOfRubyBlock(code: string, from: number): number {
  const words = new RegExp(blockWord);
  words.lastIndex = from;
  let level = 1;
  let loopUntil = -1;
  for (let match = words.exec(code); match !== null; match = words.exec(code)) {
    const [word] = match;
    const line = code.lastIndexOf('\n', match.index) + 1;
    const isConditional = /^(?:if|unless|while|until|for)$/.test(word);
    const opens =
      word === 'do'
        ? match.index > loopUntil
        : word === 'def'
          ? !/^def\s+(?:self\.)?\w+[?!]?(?:\s*\([^)]*\))?\s*=(?!=)/.test(code.slice(match.index))
          : !isConditional || beforeStatement.test(code.slice(Math.max(line, from), match.index));
    if (opens && /^(?:while|until|for)$/.test(word)) {
      // The `do` of a loop is a part of it.
      const end = code.indexOf('\n', match.index);
      loopUntil = end < 0 ? code.length : end;
    }
    level += word === 'end' ? -1 : opens ? 1 : 0;
    if (level === 0) {
      return match.index + word.length;
    }
  }
  return code.length;
}
