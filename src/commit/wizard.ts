import prompts, { type Choice, type PromptObject } from 'prompts';
import type { CommitConvention } from './convention.ts';
import { composeHeader, type Draft } from './draft.ts';
import { faults } from './explain.ts';
import type { Linter } from './linter.ts';

/** What config-conventional says its types are for. */
const purposes: Readonly<Record<string, string>> = {
  feat: 'a new feature',
  fix: 'a bug fix',
  docs: 'documentation only',
  style: 'formatting, no change in meaning',
  refactor: 'neither fixes a bug nor adds a feature',
  perf: 'makes it faster',
  test: 'adds or corrects tests',
  build: 'build system or dependencies',
  ci: 'continuous integration',
  chore: 'anything else that is no source or test',
  revert: 'takes an earlier commit back',
};

/** The order in which types are offered: the everyday ones first. */
const everyday: readonly string[] = ['feat', 'fix', 'docs', 'refactor', 'test', 'perf', 'chore'];

/**
 * Asks for the parts of a commit message, one question after the other, on the terminal.
 *
 * @param scopes offered, the most used first
 * @param earlier answers to begin with
 * @param keep called after each answer with all of them, so that an interruption loses nothing
 * @returns null when the person broke off
 */
export async function askForCommit(
  linter: Linter,
  scopes: readonly string[],
  earlier: Draft,
  keep: (draft: Draft) => void,
): Promise<Draft | null> {
  let draft = earlier;
  for (const question of questions) {
    const { answer, isGiven } = await ask(question(draft, linter, scopes));
    draft = { ...draft, ...answer };
    keep(draft);
    if (!isGiven) {
      return null;
    }
  }
  return draft;
}

/** Yes or no; null when the person broke off. */
export async function confirm(message: string): Promise<boolean | null> {
  const { answer } = (await prompts({ type: 'confirm', name: 'answer', message, initial: true })) as {
    answer?: boolean;
  };
  return answer ?? null;
}

type Question = (draft: Draft, linter: Linter, scopes: readonly string[]) => PromptObject<keyof Draft>;

/** A text that was being typed when the person broke off is an answer, though not a given one. */
async function ask(
  question: PromptObject<keyof Draft>,
): Promise<{ readonly answer: Draft; readonly isGiven: boolean }> {
  let typed: unknown;
  const answer = (await prompts({
    ...question,
    onState: ({ value }: { value: unknown }) => {
      typed = value;
    },
  })) as Draft;
  if (Object.keys(answer).length > 0) {
    return { answer, isGiven: true };
  }
  const isText = question.type === 'text' && typeof typed === 'string' && typed !== '';
  return { answer: isText ? { [String(question.name)]: typed } : {}, isGiven: false };
}

const questions: readonly Question[] = [
  ({ type }, { convention }) => {
    const choices = typeChoices(convention);
    const initial = Math.max(
      0,
      choices.findIndex(({ value }) => value === type),
    );
    return { type: 'select', name: 'type', message: 'Type', choices, initial };
  },
  ({ scope = '' }, { convention }, scopes) => {
    const choices = scopeChoices(convention, scopes);
    let typed = '';
    return {
      type: 'autocomplete',
      name: 'scope',
      message: 'Scope (what part; empty for none)',
      initial: scope,
      choices,
      format: (answer: string) => chosenScope(answer, suggestScopes(typed, choices, convention)),
      suggest: async (input: string, all: Choice[]) => {
        typed = input;
        return suggestScopes(input, all, convention);
      },
    };
  },
  (draft, linter) => ({
    type: 'text',
    name: 'subject',
    message: 'Subject (what it does, in the imperative)',
    initial: draft.subject ?? '',
    onRender: roomLeft(draft, linter.convention),
    validate: (subject: string) => objectionTo({ ...draft, subject }, linter),
  }),
  ({ body }) => ({
    type: 'text',
    name: 'body',
    message: 'Body (why; \\n for a new line, empty for none)',
    initial: body ?? '',
  }),
  ({ breaking }) => ({
    type: 'text',
    name: 'breaking',
    message: 'Breaking change (what breaks and what to do; empty for none)',
    initial: breaking ?? '',
  }),
  ({ issues }) => ({
    type: 'text',
    name: 'issues',
    message: 'Issues it closes (#12, #13; empty for none)',
    initial: issues ?? '',
  }),
];

function typeChoices({ types }: CommitConvention): Choice[] {
  const rank = (type: string): number => (everyday.includes(type) ? everyday.indexOf(type) : everyday.length);
  const choice = (type: string): Choice => {
    const description = purposes[type];
    return { title: type, value: type, ...(description === undefined ? {} : { description }) };
  };
  return [...types].sort((one, other) => rank(one) - rank(other)).map(choice);
}

/** prompts gives a choice's title for an empty value. */
const noScope = '(none)';

function scopeChoices(convention: CommitConvention, used: readonly string[]): Choice[] {
  const scopes = convention.scopes.length > 0 ? convention.scopes : used;
  return [{ title: noScope, value: noScope }, ...scopes.map((scope) => ({ title: scope, value: scope }))];
}

function suggestScopes(input: string, choices: readonly Choice[], { scopes }: CommitConvention): Choice[] {
  const typed = input.trim();
  const matching = choices.filter(({ title, value }) => typed === '' || (value !== noScope && title.includes(typed)));
  const isNew = typed !== '' && scopes.length === 0 && !matching.some(({ value }) => value === typed);
  return isNew ? [...matching, { title: typed, value: typed }] : matching;
}

/** An answer that comes with its Enter in one piece, as pasted, is taken before its suggestions are there. */
function chosenScope(answer: string, suggested: readonly Choice[]): string {
  const [first] = suggested;
  const chosen = first === undefined || suggested.some(({ value }) => value === answer) ? answer : first.value;
  return chosen === noScope ? '' : chosen;
}

/** Keeps the characters that are left beside the question while the person types. */
function roomLeft(draft: Draft, { headerMaxLength }: CommitConvention): (this: unknown) => void {
  return function (this: unknown) {
    const prompt = this as { msg: string; value?: string };
    const left = headerMaxLength - composeHeader({ ...draft, subject: prompt.value ?? '' }).length;
    prompt.msg = `Subject (what it does, in the imperative) ${left < 0 ? `${-left} too many` : `${left} left`}`;
  };
}

async function objectionTo(draft: Draft, linter: Linter): Promise<true | string> {
  if ((draft.subject ?? '').trim() === '') {
    return 'A subject is needed.';
  }
  const header = composeHeader(draft);
  const report = await linter.lint(header);
  const [first] = faults(header, report, linter.convention).filter(({ level }) => level === 'error');
  return report.valid || (first?.message ?? 'The header is not valid.');
}
