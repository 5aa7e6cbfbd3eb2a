import { type Call, type Shell, through } from '../call.ts';
import { either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { makeVirtualEnvironment } from './file-changes.ts';
import { runByModule } from './python-runners.ts';

/** Modules that are programs of their own: what `python -m` runs by another name. */
const programs: Readonly<Record<string, readonly string[]>> = {
  git_filter_repo: ['git', 'filter-repo'],
  pre_commit: ['pre-commit'],
  semantic_release: ['semantic-release'],
  pytest: ['pytest'],
  ghp_import: ['ghp-import'],
  commitizen: ['cz'],
  poethepoet: ['poe'],
  taskipy: ['task'],
  ...Object.fromEntries(
    ['bumpversion', 'hatch', 'honcho', 'invoke', 'mike', 'mkdocs', 'nox', 'pdm', 'pipenv', 'poetry', 'tox'].map(
      (name) => [name, [name]],
    ),
  ),
};

/** Python's "timeit": what is run before, and the statements. */
function timed(args: readonly Word[]): readonly Word[] {
  const isValue = (index: number) => /^-[nrsu]$|^--(?:number|repeat|setup|unit)$/.test(beginningOf(args[index - 1]));
  const isSetup = (index: number) => /^(?:-s|--setup)$/.test(beginningOf(args[index - 1]));
  return args.filter((word, index) => (isValue(index) ? isSetup(index) : !beginningOf(word).startsWith('-')));
}

/** `-m`, alone or behind flags, and the module where it is part of the word. */
const loads = /^-[bBdEhiIOPqRsSuvVx?]*m(.*)$/s;

/** `python -m MODULE`: null where the module is none that matters here, or none is run. */
export function runModule(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.map((word) => (word.kind === 'known' ? word.value : ''));
  const at = words.findIndex(
    (word, index) =>
      index > 0 && (loads.test(word) || !(word.startsWith('-') || /^-[WX]$/.test(words[index - 1] ?? ''))),
  );
  const attached = loads.exec(words[at] ?? '')?.[1];
  const module = attached === '' ? words[at + 1] : attached;
  const args = call.argv.slice(attached === '' ? at + 2 : at + 1);
  if (module === 'timeit') {
    const statements = timed(args).map((word) => (word.kind === 'known' ? word.value : word.source));
    return shell.run({ ...call, argv: ['python3', '-c', statements.join('\n')].map(knownWord), lookup: 'programs' });
  }
  if (module === 'venv' || module === 'virtualenv') {
    shell.emitCommand(call);
    for (const word of args) {
      makeVirtualEnvironment(word, call.state, shell);
    }
    return either(call.state);
  }
  const program = module !== undefined && Object.hasOwn(programs, module) ? programs[module] : undefined;
  return program === undefined
    ? runByModule(module ?? '', args, call, shell)
    : shell.run({
        ...call,
        frame: through(call.frame, `python -m ${module}`),
        argv: [...program.map(knownWord), ...args],
        lookup: 'programs',
      });
}
