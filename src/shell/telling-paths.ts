import { knownWord, type Word } from './simple-command.ts';

/** What the directories are called, behind a dot, in which agents look for their settings and hooks. */
export const agentDirectories = 'claude|codex|cursor|gemini|factory|opencode|qwen|grok';

/** Files that are guarded, or that every shell or hook reads first. */
const tellingPath = new RegExp(
  String.raw`\.git(?:config)?\b|husky|oxide-guard|\bgit\/config$|\.(?:${agentDirectories}|github\/hooks)\b|\/\.(?:\w*(?:rc|profile|login|aliases)|zshenv)$`,
);

export function isTellingPath(value: string): boolean {
  return tellingPath.test(value);
}

/** The files that a redirection's word may name beside what nobody knows, where it matters which. */
export function tellingPaths(word: Word): readonly Word[] {
  const values = word.kind === 'known' ? [] : (word.oneOf ?? word.mayBe ?? []);
  return values.filter((value) => isTellingPath(value)).map(knownWord);
}
