/** Changes lists, under whichever name. */
const changesLists =
  /\.\s*(?:append|insert|extend|pop|popleft|remove|push|unshift|splice|shift|sort|reverse|clear|fill|copyWithin|add|discard|delete|update)\s*\(|[\w$)\]]\[[^\]\n]*\]\s*[-+*/|&]?=(?![=>])|[-+*|&]=(?!=)|\bdel\b/;
/** What stands before a list that gets another name there: of a parameter, a variable, an item, a function's answer. */
const handsOn = /(?:[\w$\])]\s*\(|[,=:[]|=>|\b(?:return|yield))\s*$/;
/** What stands before one that is only looked at, though it looks like that. */
const looksAt =
  /(?:\b(?:if|elif|while|in|of|and|or|not)\s*\(|\b(?:len|list|tuple|set|bool|print|sorted|join|Set|Boolean|from|log|error)\s*\(|[=!<>]=)\s*$/;
/** What is taken of a list leaves it as it is. */
const takes = /^\s*(?:\[|\.\s*(?:at|every|filter|find|findIndex|includes|index|indexOf|join|length|map|slice|some)\b)/;

/** Does a program change lists in place? @param code texts and comments blanked */
export const mayChangeLists = (code: string): boolean => changesLists.test(code);

/** Does it hand a list on by its name, where it changes lists in place? @param code as {@link mayChangeLists} takes it */
export function isHandedOn(name: string, code: string): boolean {
  const uses = mayChangeLists(code)
    ? code.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))
    : [];
  return Array.from(uses).some(({ index }) => {
    const before = code.slice(Math.max(0, index - 60), index);
    const after = code.slice(index + name.length, index + name.length + 60);
    return handsOn.test(before) && !looksAt.test(before) && !takes.test(after);
  });
}
