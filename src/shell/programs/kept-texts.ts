import { listedWords } from '../../listed-words.ts';
import { type Call, type Shell, through } from '../call.ts';
import { beginningOf, knownWord } from '../simple-command.ts';

/** Programs that run files which they find by themselves: of tests, of tasks, of packages. */
const findsFiles: ReadonlySet<string> = new Set(
  listedWords(`pytest py.test tox nox nose2 unittest ipython bpython behave robot hypothesis pip pip3 pipx uv poetry pdm hatch rye
  jest vitest mocha ava tap jasmine karma playwright cypress npm npx yarn pnpm pnpx bun deno tsx ts-node nodemon make gmake just
  task rake cmake ninja gdb pre-commit lefthook husky`),
);

/** Modules of Python that look at programs, and run none: `python3 -m py_compile x.py`. */
const looking: ReadonlySet<string> = new Set(
  listedWords(`py_compile compileall ast tokenize tabnanny pydoc json.tool json pyflakes flake8 black ruff isort mypy pylint
  pycodestyle autopep8 yapf bandit vulture radon zipfile tarfile base64 calendar`),
);

/** Is it surely not that a call of Python or Node runs a file? */
export function onlyLooks({ argv }: Call, checks: RegExp | undefined): boolean {
  const words = argv.slice(1).map(beginningOf);
  const module = words.indexOf('-m');
  return module >= 0
    ? looking.has(words[module + 1] ?? '')
    : words.some((word) => checks?.test(word) === true || /^(?:-V|-v|--version|-h|--help)$/.test(word));
}

/** A program may run a file that holds a text of an earlier program of the line. */
export function runKeptTexts(call: Call, shell: Shell): void {
  for (const { language, text } of shell.overlay.keptTexts.splice(0)) {
    const [program, option] = language === 'python' ? ['python3', '-c'] : ['node', '-e'];
    const frame = through(call.frame, beginningOf(call.argv[0]));
    shell.run({ ...call, frame, argv: [program, option, withAllCalled(text)].map(knownWord), lookup: 'programs' });
  }
}

/** Who runs tests, calls functions that nobody else does. */
function withAllCalled(text: string): string {
  const names = Array.from(text.matchAll(/\b(?:def|function)\s+([A-Za-z_]\w*)/g), ([, name = '']) => name);
  return [text, ...names].join('\n');
}

/** The same for a program that finds the files by itself. */
export function runFoundTexts(program: string, call: Call, shell: Shell): void {
  if (findsFiles.has(program)) {
    runKeptTexts(call, shell);
  }
}
