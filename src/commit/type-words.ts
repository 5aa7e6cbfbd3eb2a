/** `exact`: the word says the type. `guess`: what the words hint at, for a person to confirm. */
export type Confidence = 'exact' | 'guess';

export interface TypeReading {
  readonly type: string;
  readonly confidence: Confidence;
  /** The scope the word stands for as well: `deps: x` is `build(deps): x`. */
  readonly scope?: string;
}

/** Other words for a type that mean nothing else. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  feat: ['feature', 'features', 'feats', 'enhancement', 'enhancements'],
  fix: ['fixes', 'fixed', 'fixing', 'bug', 'bugs', 'bugfix', 'bugfixes', 'hotfix'],
  docs: ['doc', 'documentation', 'readme'],
  test: ['tests', 'testing'],
  refactor: ['refactoring', 'refactored', 'refact'],
  perf: ['performance'],
  style: ['styles', 'styling', 'formatting'],
  build: ['builds'],
  chore: ['chores', 'maintenance', 'misc'],
  revert: ['reverts'],
};

/** Words that people use as types and that a type comes near to. */
const kindred: Readonly<Record<string, { readonly type: string; readonly scope?: string }>> = {
  deps: { type: 'build', scope: 'deps' },
  dep: { type: 'build', scope: 'deps' },
  dependencies: { type: 'build', scope: 'deps' },
  release: { type: 'chore', scope: 'release' },
  workflow: { type: 'ci' },
  workflows: { type: 'ci' },
  types: { type: 'refactor', scope: 'types' },
  typings: { type: 'refactor', scope: 'types' },
  cleanup: { type: 'refactor' },
  clean: { type: 'refactor' },
  lint: { type: 'style' },
  format: { type: 'style' },
  typo: { type: 'docs' },
  security: { type: 'fix', scope: 'security' },
  wip: { type: 'chore' },
  example: { type: 'docs', scope: 'example' },
  examples: { type: 'docs', scope: 'examples' },
  bench: { type: 'test', scope: 'bench' },
};

/**
 * Reads a word that stands where the type belongs.
 *
 * @param types of the convention; nothing else is returned
 */
export function readType(word: string, types: readonly string[]): TypeReading | null {
  const lower = word.toLowerCase();
  const known = [word, lower].find((spelling) => types.includes(spelling));
  if (known !== undefined) {
    return { type: known, confidence: 'exact' };
  }
  const synonym = synonymOf(lower, types);
  if (synonym !== null) {
    return { type: synonym, confidence: 'exact' };
  }
  const meant = lower.length < 3 ? [] : types.filter((type) => type.length > 2 && isOneTypoAway(lower, type));
  const [only] = meant;
  if (only !== undefined && meant.length === 1) {
    return { type: only, confidence: 'exact' };
  }
  const near = Object.hasOwn(kindred, lower) ? kindred[lower] : undefined;
  return near !== undefined && types.includes(near.type) ? { ...near, confidence: 'guess' } : null;
}

/** The convention's own word among those that mean the same: `feature` where it has no `feat`. */
function synonymOf(word: string, types: readonly string[]): string | null {
  for (const [type, others] of Object.entries(synonyms)) {
    if (word === type || others.includes(word)) {
      return [type, ...others].find((candidate) => types.includes(candidate)) ?? null;
    }
  }
  return null;
}

/** One letter too many, one too few, one wrong, or two swapped. */
function isOneTypoAway(word: string, other: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === other[start]) {
    start++;
  }
  const [rest, expected] = [word.slice(start), other.slice(start)];
  return (
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    rest.slice(1) === expected.slice(1) ||
    (rest.slice(2) === expected.slice(2) && rest[0] === expected[1] && rest[1] === expected[0])
  );
}

/** What the first words of a description hint at; the first row that matches decides. */
const hints: readonly (readonly [type: string, pattern: RegExp])[] = [
  [
    'docs',
    /^(?:fix(?:ed|es)?|correct(?:ed|s)?)\s+(?:a\s+|some\s+)?(?:typos?|spelling|grammar|docs?|readme|comments?)\b/i,
  ],
  [
    'fix',
    /^(?:(?:bug|hot)?fix(?:e[ds]|ing)?|correct(?:s|ed|ly)?|resolv(?:e[ds]?|ing)|repair(?:s|ed)?|prevent(?:s|ed)?|avoid(?:s|ed)?)\b/i,
  ],
  [
    'fix',
    /^(?:add(?:s|ed)?\s+(?:the\s+|a\s+)?missing|ensure[ds]?|make\s+sure|stop|don't|do\s+not|never|handle[ds]?|work\s+around|guard|restore[ds]?)\b/i,
  ],
  ['docs', /^(?:document(?:s|ed|ation|ing)?|docs?|typos?|clarif(?:y|ies|ied))\b/i],
  [
    'docs',
    /^(?:add(?:s|ed)?|updat(?:e[ds]?|ing)|improve[ds]?|correct(?:s|ed)?|edit(?:s|ed)?)\s+(?:the\s+)?(?:readme|changelog|history|docs?|documentation|comments?|links?|examples?)\b/i,
  ],
  [
    'test',
    /^(?:tests?|testing)\b|^(?:add(?:s|ed)?|updat(?:e[ds]?|ing)|improve[ds]?|write|extend)\s+(?:\S+\s+){0,2}(?:tests?|specs?|coverage)\b/i,
  ],
  [
    'ci',
    /^(?:add(?:s|ed)?|updat(?:e[ds]?|ing)|use)\s+(?:the\s+)?(?:ci|travis|appveyor|github\s+actions?|workflows?)\b|^(?:ci|travis|appveyor|circleci|azure)\b/i,
  ],
  [
    'build',
    /^(?:bump(?:s|ed)?|upgrad(?:e[ds]?|ing)|updat(?:e[ds]?|ing))\s+(?:\S+\s+){0,3}(?:dependenc(?:y|ies)|deps|dev-?dependencies|from\s+v?\d|to\s+v?\d|v?\d+\.\d)/i,
  ],
  ['chore', /^(?:(?:initial|first)\s+(?:commit|import|version|check-?in|drop|release)|init(?:iali[sz]e[ds]?)?)\b/i],
  ['chore', /^(?:releas(?:e[ds]?|ing)|version|prepare|bump(?:s|ed)?)\b/i],
  [
    'perf',
    /^(?:optimi[sz](?:e[ds]?|ing|ations?)|speed(?:s|ed)?\s+up|improve[ds]?\s+(?:the\s+)?(?:performance|speed))\b/i,
  ],
  ['style', /^(?:re?-?formats?|reindent|indent(?:ation)?|whitespace|coding\s+style|prettier|lint(?:ed|ing)?)\b/i],
  [
    'refactor',
    /^(?:refactor(?:s|ed|ing)?|renam(?:e[ds]?|ing)|mov(?:e[ds]?|ing)|simplif(?:y|ies|ied)|clean(?:s|ed|ing)?[ -]?up|extract(?:s|ed)?|rewr(?:ite|ote|itten)|restructur(?:e[ds]?|ing)|replac(?:e[ds]?|ing)|convert(?:s|ed)?|inline|split|factor\s+out|reorgani[sz]e|remov(?:e[ds]?|ing)|delet(?:e[ds]?|ing)|drop(?:s|ped)?|tidy)\b/i,
  ],
  [
    'feat',
    /^(?:add(?:s|ed|ing)?|implement(?:s|ed|ing)?|introduc(?:e[ds]?|ing)|support(?:s|ed)?|allow(?:s|ed)?|enabl(?:e[ds]?|ing)|creat(?:e[ds]?|ing)|provide[ds]?|expose[ds]?|teach)\b/i,
  ],
  ['chore', /^(?:updat(?:e[ds]?|ing)|upgrad(?:e[ds]?|ing)|tweak(?:s|ed)?|merge|use|chang(?:e[ds]?|ing))\b/i],
];

/** The type that a description in free words hints at; null when it tells nothing. */
export function guessType(description: string, types: readonly string[]): string | null {
  const hint = hints.find(([, pattern]) => pattern.test(description))?.[0];
  return hint === undefined ? null : synonymOf(hint, types);
}

const emojiTypes: Readonly<Record<string, readonly string[]>> = {
  feat: ['✨', ':sparkles:', '🎉', ':tada:', '🚀', ':rocket:'],
  fix: ['🐛', ':bug:', '🚑', ':ambulance:', '🩹', '🔒', ':lock:'],
  docs: ['📝', ':memo:', '📚', ':books:', ':pencil:', '✏', ':pencil2:'],
  style: ['💄', ':lipstick:', '🎨', ':art:', '🚨', ':rotating_light:', '💎'],
  refactor: ['♻', ':recycle:', '🔥', ':fire:', '🚚', ':truck:'],
  perf: ['⚡', ':zap:'],
  test: ['✅', ':white_check_mark:', '🧪'],
  build: ['⬆', ':arrow_up:', '📦', ':package:', '➕', ':heavy_plus_sign:', '➖', '📌'],
  ci: ['👷', ':construction_worker:', '💚', ':green_heart:'],
  chore: ['🔧', ':wrench:', '🔖', ':bookmark:'],
};

/** What an emoji in front stands for, by the gitmoji convention. */
export function emojiType(emoji: string, types: readonly string[]): string | null {
  const found = Object.entries(emojiTypes).find(([, signs]) => signs.some((sign) => emoji.startsWith(sign)));
  return found === undefined ? null : synonymOf(found[0], types);
}
