import { type CAC, cac } from 'cac';
import { ExitCode, OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import type { Console } from '../ui/console.ts';
import type { Command, CommandEntry } from './command.ts';
import { flagOf } from './given-words.ts';

type Commands = Readonly<Record<string, CommandEntry>>;

/** @param commands what can be completed: all commands, by name */
export const completionsOf = (commands: Commands): Command => ({
  actions: Object.keys(scripts),
  register(cli, console) {
    cli
      .command('completions <shell>', 'Print the completions of this command line: bash, zsh or fish')
      .usage('completions bash | zsh | fish')
      .example('source <(oxide-guard completions bash)   # in ~/.bashrc; zsh the same in ~/.zshrc, after compinit')
      .example('oxide-guard completions fish > ~/.config/fish/completions/oxide-guard.fish')
      .option('--json', 'the script in a document')
      .action((shell: string, { json = false }: { json?: boolean }) => print(shell, json, commands, console));
  },
});

/** One command as it can be completed. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** Words that may stand where its first argument does. */
  readonly actions: readonly string[];
  readonly options: readonly { readonly flag: string; readonly summary: string; readonly takesValue: boolean }[];
}

type Script = (commands: readonly Completed[]) => string;
const scripts: Readonly<Record<string, Script>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

async function print(shell: string, isJson: boolean, commands: Commands, console: Console): Promise<ExitCode> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    throw new OxideError('unknown-shell', `There are no completions for '${shell}'.`, {
      remedy: `Choose from: ${Object.keys(scripts).join(', ')}`,
      exitCode: ExitCode.usage,
    });
  }
  const text = script(await completedCommands(commands, console));
  console.out(isJson ? JSON.stringify({ shell, script: text }) : text);
  return ExitCode.fine;
}

/** Registers every command, which is the one place where its options are declared. */
async function completedCommands(commands: Commands, console: Console): Promise<readonly Completed[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const cli: CAC = cac('oxide-guard');
      const command = await load();
      command.register(cli, console);
      const options = cli.commands.flatMap((registered) => registered.options);
      return {
        name,
        summary,
        actions: command.actions ?? [],
        options: options.map((option) => ({
          flag: flagOf(option),
          summary: option.description,
          takesValue: option.isBoolean !== true,
        })),
      };
    }),
  );
}

const wordsOf = ({ actions: words, options }: Completed) => [...words, ...options.map(({ flag }) => flag), '--help'];

function bashScript(all: readonly Completed[]): string {
  return `# oxide-guard completions for bash
_oxide_guard() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoteWord([...all.map(({ name }) => name), '--help', '--version'].join(' '))}
  else
    case \${COMP_WORDS[1]} in
${all.map((each) => `      ${each.name}) words=${quoteWord(wordsOf(each).join(' '))} ;;`).join('\n')}
      *) words= ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _oxide_guard oxide-guard`;
}

function zshScript(all: readonly Completed[]): string {
  const described = (name: string, summary: string) => quoteWord(`${name.replaceAll(':', '\\:')}:${summary}`);
  return `#compdef oxide-guard
_oxide_guard() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${all.map(({ name, summary }) => described(name, summary)).join(' ')})
  else
    case $words[2] in
${all.map((each) => `      ${each.name}) choices=(${[...each.actions.map(quoteWord), ...each.options.map(({ flag, summary }) => described(flag, summary)), '--help'].join(' ')}) ;;`).join('\n')}
    esac
  fi
  _describe 'oxide-guard' choices || _files
}
compdef _oxide_guard oxide-guard`;
}

function fishScript(all: readonly Completed[]): string {
  const top = all.map(
    ({ name, summary }) =>
      `complete -c oxide-guard -n __fish_use_subcommand -f -a ${quoteWord(name)} -d ${fishQuote(summary)}`,
  );
  const inner = all.flatMap(({ name, actions: words, options }) => {
    const when = `complete -c oxide-guard -n '__fish_seen_subcommand_from ${name}'`;
    return [
      ...(words.length === 0 ? [] : [`${when} -f -a ${quoteWord(words.join(' '))}`]),
      ...options.map(
        ({ flag, summary, takesValue }) =>
          `${when} -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d ${fishQuote(summary)}`,
      ),
    ];
  });
  return ['# oxide-guard completions for fish', ...top, ...inner].join('\n');
}

/** fish knows \\' and \\\\ inside of single quotes, and nothing else. */
function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
