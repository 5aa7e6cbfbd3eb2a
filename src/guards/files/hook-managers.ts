import { dirname, join, relative } from 'node:path';

/** A tool whose hooks read at every run, in a file of the work tree, which checks there are. */
export interface HookManager {
  readonly name: string;
  /** What says in the text of a hook that it starts the tool. */
  readonly mark: RegExp;
  /** Its files, from the top of the work tree. */
  readonly file: RegExp;
  /** What says in the text of a hook that nothing is checked without the file; elsewhere git's command is stopped then. */
  readonly passesWithout: RegExp;
  /** The part of the file's text that is about a hook. */
  readonly about: (text: string, hook: string) => string;
  /** Checks in it, each with what it runs where that is said there. */
  readonly check: RegExp;
  /** What says in it that checks are left out. */
  readonly skip: RegExp;
}

/** What the line has made of a file in which a hook manager looks up its checks: its text, null where that is not known. */
export type ManagersFile = ({ readonly kind: 'gone' } | { readonly kind: 'written'; readonly text: string | null }) & {
  /** The change is in a stash, and the file as git has it. */
  readonly isPutAway?: boolean;
};

/** A hook's own section of YAML; other formats as a whole. */
function section(text: string, hook: string): string {
  const isOther = /^\s*[{[]/.test(text);
  const own = new RegExp(`^["']?${hook}["']?[ \\t]*:(.*(?:\\n(?:[ \\t#].*)?)*)`, 'm').exec(text)?.[1];
  return isOther ? text : (own ?? '');
}

const managers: readonly HookManager[] = [
  {
    name: 'lefthook',
    mark: /lefthook/,
    file: /^(?:\.config\/)?\.?lefthook(?:-local)?\.(?:ya?ml|json|toml)$/,
    passesWithout: /lefthook/,
    about: section,
    check: /\brun(?:ner)?["']?\s*[:=]\s*(?:[|>][-+]?\s*\n\s*)?["']?([^\n"'}]*)/g,
    skip: /\bskip["']?\s*[:=]\s*["']?(?:true|yes|on)\b/gi,
  },
  {
    name: 'pre-commit',
    mark: /\bpre-commit\b.*\b(?:run|hook-impl)|hook-impl|\bprek\b/,
    file: /^\.pre-commit-config\.ya?ml$/,
    passesWithout: /skip-on-missing-config/,
    about: (text) => text,
    check: /\bid["']?\s*:\s*["']?([^\n"'},]*)/g,
    skip: /stages["']?\s*:\s*\[?\s*(?:-\s*)?["']?manual|^exclude\s*:\s*["']?\^?\.[*+]|^files\s*:\s*["']?\^\$/gm,
  },
];

/** Could a hook manager look up its checks there? Told by the name alone: nearly no file that a line writes is one. */
export function mayBeManagers(path: string): boolean {
  return /(?:lefthook|pre-commit)[^/]*$/.test(path);
}

/** Whose file is at a path of a work tree? Null: none's. @param top the work tree, absolute */
export function managerOf(path: string, top: string): HookManager | null {
  const place = relative(top, path);
  return managers.find(({ file }) => file.test(place)) ?? null;
}

/** Where a hook lies, and those that it goes on to: husky's own one, and the one that was there before the guard's. */
export function hookFiles(hook: string, hooksDirectory: string): readonly string[] {
  const path = join(hooksDirectory, hook);
  return [path, `${path}.before-oxide-guard`, join(dirname(hooksDirectory), hook)];
}

/** What a check runs that checks nothing. */
const passes = /^(?:|:|true|exit(?: 0)?|echo\b.*)$/;

/**
 * Does another text of such a file leave a hook without the checks that it had, or leave them out? One check less, or
 * another one, is an edit like others.
 */
export function silences(before: string, after: string, hook: string, manager: HookManager): boolean {
  const [had, has] = [before, after].map((text) => countsIn(manager.about(text, hook), manager));
  return (
    had !== undefined &&
    has !== undefined &&
    ((had.checks > 0 && has.checks === 0) || has.skips > had.skips || has.passing > had.passing)
  );
}

function countsIn(text: string, { check, skip }: HookManager) {
  const runs = Array.from(text.matchAll(check), ([, command = '']) => command.trim());
  const passing = runs.filter((command) => passes.test(command)).length;
  return { checks: runs.length - passing, passing, skips: Array.from(text.matchAll(skip)).length };
}
