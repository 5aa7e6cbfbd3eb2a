import { knownWord, type Word } from './simple-command.ts';

/** Files that are guarded, or that every shell or hook reads first. */
const tellingPath =
  /\.git(?:config)?\b|husky|oxide-guard|\bgit\/config$|\.(?:claude|codex|cursor|gemini|factory|opencode|qwen|grok|github\/hooks)\b|\/\.(?:\w*(?:rc|profile|login|aliases)|zshenv)$/;

export function isTellingPath(value: string): boolean {
  return tellingPath.test(value);
}

/** The files that a redirection's word may name beside what nobody knows, where it matters which. */
export function tellingPaths(word: Word): readonly Word[] {
  const values = word.kind === 'known' ? [] : (word.oneOf ?? word.mayBe ?? []);
  return values.filter((value) => isTellingPath(value)).map(knownWord);
}
