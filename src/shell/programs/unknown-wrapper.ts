import { type Call, type Shell, through } from '../call.ts';
import { doubtful } from '../shell-state.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { runCommandString } from './shell-invocation.ts';

/** Programs whose words are names or texts, whatever they are. */
const takesText =
  /grep$|^(?:a[gk]|ack|echo|printf|say|espeak|cowsay|figlet|toilet|banner|lolcat|logger|wall|write|notify-send|man|tldr|info|apropos|whatis|which|whereis|type|test|\[|file|basename|dirname|realpath|readlink|tee|tr|cut|sort|uniq|sed|jq|yq|fzf|open|xdg-open|code|cd|alias|export|hash|help|kill|pkill|pgrep|killall|seq|expr|date|history|bindkey|complete|compgen|return|exit|svn|hg|oxide-guard|howdoi|cheat|navi|pytest|cargo)$/;

/** `brew install git`: what follows is a name. */
const namesFollow =
  /^(?:install|uninstall|reinstall|remove|purge|search|info|show|list|upgrade|update|policy|depends|help|docs?|explain|completions?|describe|which|link|unlink|pin|tap|get|put|set|log|create|edit|view|new)$/;

const givesScript = /^(?:-c|-e|-x|--(?:exec|command|cmd|run|call))$/;
const beginsWithGit = /^\s*(?:\w+=\S*\s+)*(?:\/\S*\/)?git\s+\S/;

/**
 * A program of which nothing is known, but that is given git and what git is to do as words of their own, or in an option
 * that is usually a command: it is taken for one that runs it. There are more wrappers than any table knows.
 */
export function runUnknownWrapper(program: string, call: Call, shell: Shell): void {
  const texts = call.argv.map((word) => (word.kind === 'known' ? word.value : ''));
  if (takesText.test(program) || !texts.some((text) => text.includes('git'))) {
    return;
  }
  const inner: Call = { ...call, state: doubtful(call.state), frame: through(call.frame, program) };
  const at = texts.findIndex((text, index) => index > 0 && /^(?:\/\S*\/)?git$/.test(text));
  if (at > 0 && isCommandWord(call.argv[at + 1]) && !texts.slice(1, at).some((text) => namesFollow.test(text))) {
    shell.run({ ...inner, argv: call.argv.slice(at), lookup: 'programs' });
  }
  for (const [index, text] of texts.entries()) {
    const script = texts[index + 1] ?? '';
    if (givesScript.test(text) && beginsWithGit.test(script)) {
      runCommandString(inner, shell, `${program} ${text}`, knownWord(script), []);
    }
  }
}

function isCommandWord(word: Word | undefined): boolean {
  return word?.kind === 'known' && /^(?:-[cC]$|--\w|[a-z][\w-]*$)/.test(word.value);
}
