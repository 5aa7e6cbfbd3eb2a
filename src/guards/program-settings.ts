/** How git starts the program that a setting names. */
export type ProgramSetting =
  /** A shell command line, with arguments appended. */
  | 'command-line'
  /** An alias: a git subcommand, or with `!` a shell command line. */
  | 'alias'
  /** The name or path of one program. */
  | 'program'
  /** A shell command line only after `!`. */
  | 'after-exclamation-mark'
  /** The same, or a path with arguments, or else what follows `git credential-` on a shell command line. */
  | 'credential-helper'
  /** A program where it is an absolute path, else a host. */
  | 'absolute-program'
  /** A program, unless it is a boolean. */
  | 'program-or-boolean'
  /** The format of each line in the list of a rebase, of which `%n` makes more than one. */
  | 'todo-lines';

/** Settings whose value git runs: git-config(1). Keys in lower case, `*` stands for any subsection. */
const settings: Readonly<Record<string, ProgramSetting>> = {
  'alias.*': 'alias',
  'alias.*.command': 'alias',
  'core.pager': 'command-line',
  'pager.*': 'program-or-boolean',
  'core.editor': 'command-line',
  'sequence.editor': 'command-line',
  'rebase.instructionformat': 'todo-lines',
  'core.sshcommand': 'command-line',
  'core.fsmonitor': 'program-or-boolean',
  'core.askpass': 'program',
  'core.gitproxy': 'command-line',
  'core.alternaterefscommand': 'command-line',
  'credential.helper': 'credential-helper',
  'credential.*.helper': 'credential-helper',
  'diff.external': 'command-line',
  'diff.*.command': 'command-line',
  'diff.*.textconv': 'command-line',
  'difftool.*.cmd': 'command-line',
  'difftool.*.path': 'program',
  'mergetool.*.cmd': 'command-line',
  'mergetool.*.path': 'program',
  'merge.*.driver': 'command-line',
  'filter.*.clean': 'command-line',
  'filter.*.smudge': 'command-line',
  'filter.*.process': 'command-line',
  'gc.recentobjectshook': 'command-line',
  'gpg.program': 'program',
  'gpg.*.program': 'program',
  'gpg.ssh.defaultkeycommand': 'command-line',
  'guitool.*.cmd': 'command-line',
  'imap.tunnel': 'command-line',
  'instaweb.httpd': 'command-line',
  'hook.*.command': 'command-line',
  'interactive.difffilter': 'command-line',
  'man.*.cmd': 'command-line',
  'man.*.path': 'program',
  'browser.*.cmd': 'command-line',
  'browser.*.path': 'program',
  'trailer.*.cmd': 'command-line',
  'trailer.*.command': 'command-line',
  'uploadpack.packobjectshook': 'command-line',
  'remote.*.uploadpack': 'command-line',
  'remote.*.receivepack': 'command-line',
  'remote.*.vcs': 'program',
  'submodule.*.update': 'after-exclamation-mark',
  'sendemail.tocmd': 'command-line',
  'sendemail.cccmd': 'command-line',
  'sendemail.headercmd': 'command-line',
  'sendemail.sendmailcmd': 'command-line',
  'sendemail.smtpserver': 'absolute-program',
  'sendemail.*.tocmd': 'command-line',
  'sendemail.*.cccmd': 'command-line',
  'sendemail.*.headercmd': 'command-line',
  'sendemail.*.sendmailcmd': 'command-line',
  'sendemail.*.smtpserver': 'absolute-program',
  'svn.authorsprog': 'program',
  'tar.*.command': 'command-line',
  'ssh.variant': 'program-or-boolean',
};

/** Variables that name a program for git: git(1) "Environment Variables". */
export const programVariables: Readonly<Record<string, ProgramSetting>> = {
  GIT_EDITOR: 'command-line',
  GIT_SEQUENCE_EDITOR: 'command-line',
  GIT_PAGER: 'command-line',
  GIT_SSH_COMMAND: 'command-line',
  GIT_SSH: 'program',
  GIT_EXTERNAL_DIFF: 'command-line',
  GIT_ASKPASS: 'program',
  GIT_PROXY_COMMAND: 'program',
  EDITOR: 'command-line',
  VISUAL: 'command-line',
  PAGER: 'command-line',
};

const patterns = Object.entries(settings).map(([pattern, kind]) => ({
  pattern: new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '.+')}$`, 's'),
  kind,
}));

/** @param key section and variable in lower case */
export function programSetting(key: string): ProgramSetting | null {
  return patterns.find(({ pattern }) => pattern.test(key))?.kind ?? null;
}

const booleans = /^(?:true|false|yes|no|on|off|0|1|)$/i;

/** The command line that git would run for this value; null where it runs none. */
export function commandLineOf(value: string, kind: ProgramSetting): string | null {
  switch (kind) {
    case 'alias':
      return value.startsWith('!') ? value.slice(1) : `git ${value}`;
    case 'after-exclamation-mark':
      return value.startsWith('!') ? value.slice(1) : null;
    case 'credential-helper':
      return credentialHelper(value);
    case 'absolute-program':
      return value.startsWith('/') ? value : null;
    case 'program-or-boolean':
      return booleans.test(value) ? null : value;
    case 'todo-lines':
      return executedLines(value);
    default:
      return value === '' ? null : value;
  }
}

/** gitcredentials(7) "CUSTOM HELPERS". An empty value takes those before it away. */
function credentialHelper(value: string): string | null {
  if (value === '') {
    return null;
  }
  return value.startsWith('!') ? value.slice(1) : value.startsWith('/') ? value : `git credential-${value}`;
}

/** git-rebase(1) "INTERACTIVE MODE": what stands behind `exec` on a line of its own. */
function executedLines(format: string): string | null {
  const added = format.split(/%n|%x0a|\n/i).slice(1);
  const commands = added.flatMap((line) => /^\s*(?:exec|x)\s+(.+)$/.exec(line)?.[1] ?? []);
  return commands.length === 0 ? null : commands.join('\n');
}

/** Programs that people set for these purposes every day, and that do nothing but show, edit or ask. */
const everydayPrograms: ReadonlySet<string> = new Set(
  `: true false cat less more most bat batcat delta diff-so-fancy difft difftastic colordiff vim vi nvim nano emacs
  emacsclient ed pico micro helix hx kak joe mcedit code code-insiders codium cursor zed subl atom gedit kate notepad
  notepad++ notepad.exe ssh plink pandoc antiword catdoc docx2txt odt2txt xls2csv xlsx2csv hexdump xxd od strings zcat sops plutil ssh-askpass gpg gpg2 ssh-keygen gh glab git-credential-manager git-lfs vimdiff meld
  kdiff3 opendiff bcomp p4merge diff diff3 git sed tee head tail nbdime nbstripout jq iconv exiftool pdftotext
  imapd lighttpd apache2 httpd mongoose plackup webrick`.split(/\s+/),
);

export function isEverydayProgram(name: string): boolean {
  return everydayPrograms.has(name) || name.startsWith('git-credential-');
}
