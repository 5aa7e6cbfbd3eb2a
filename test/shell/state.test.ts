import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';
import { programName } from '../../src/shell/simple-command.ts';
import { home, memoryFiles, read } from './script.ts';

const files = memoryFiles({ '/project/sub/x': '', '/project/other/x': '', '/home/ada/x': '' });

const cases: readonly (readonly [situation: string, source: string, steps: readonly string[]])[] = [
  ['cd into a directory that is there', 'cd sub && git a; git b', ['git a @/project/sub', 'git b @/project/sub']],
  ['cd into one that is not there fails', 'cd nowhere && git a; git b', ['git b']],
  ['cd into one that may have been made', 'git clone x && cd x && git a', ['git clone x', 'maybe: git a @/project/x']],
  ['cd into one that was made', 'mkdir -p a/b; cd a/b; git a', ['mkdir -p a/b', 'git a @/project/a/b']],
  [
    'what follows a cd in doubt runs in either directory',
    'git clone x; cd x; git a',
    ['git clone x', 'maybe: git a @/project/x', 'maybe: git a'],
  ],
  [
    'ways that lead to one directory',
    'git clone x ../x; cd ../x && f; cd ../project; git a',
    ['git clone x ../x', 'maybe: f @/x', 'git a'],
  ],
  ['cd or leave', 'cd $X || exit 1; git a', ['maybe: git a @?', 'maybe: git a']],
  ['cd into one that git makes', 'git init /a; cd /a; git b', ['git init /a', 'git b @/a']],
  ['cd into one that git makes elsewhere', 'git -C / init a; cd /a; git b', ['git -C / init a', 'git b @/a']],
  [
    'cd into one that git makes in a format',
    'git init --ref-format files /a; cd /a; git b',
    ['git init --ref-format files /a', 'git b @/a'],
  ],
  [
    'cd into one that git makes by a word with choices',
    'if a; then D=/a; else D=/b; fi; git init $D; cd /b; git b',
    ['a', 'maybe: git init /a', 'maybe: git init /b', 'maybe: git b @/b', 'maybe: git b'],
  ],
  ['cd by CDPATH', 'CDPATH=/nowhere:/project; cd /; cd sub && git a', ['git a @/project/sub']],
  ['a path that CDPATH does not look for', 'CDPATH=/project; cd /; cd ./sub && git a', []],
  ['a name reference', 'B=dev; declare -n R=B; git push $R', ['git push dev']],
  ['a name reference to nothing known', 'declare -n R=X; $R', ['unreadable program: ⟨?⟩*']],
  ['a word from printf that begins with a dash', "git push $(printf -- '-%s' f)", ['git push -f']],
  ['words from a file', 'echo push -f > w; xargs -a w git', ['> w "push -f\\n"', 'git push -f']],
  [
    'a script that is downloaded',
    'wget https://x.org/a.sh; ./a.sh',
    ['wget https://x.org/a.sh', 'unreadable script: ./a.sh'],
  ],
  ['nothing at all', '. /dev/null; git a', ['git a']],
  [
    'an environment that is made',
    'python -m venv v && . v/bin/activate && git a',
    ['python -m venv v', 'maybe: git a'],
  ],
  ['cd back', 'cd sub; cd /project/other; cd -; git a', ['git a @/project/sub']],
  ['cd back to where it began, or never left', 'git a && cd sub; cd -; git b', ['git a', 'git b']],
  ['cd back from one of two places', 'cd sub; git a && cd ..; cd -; git b', ['git a @/project/sub', 'git b @?']],
  ['cd home', 'cd; git a; cd ~; git b', ['git a @/home/ada', 'git b @/home/ada']],
  ['pushd and popd', 'pushd sub; git a; popd; git b', ['git a @/project/sub', 'git b']],
  ['a directory for one command', 'env -C sub git a; git b', ['git a @/project/sub', 'git b']],
  ['a variable for one command', 'A=1 git a; git b', ['A=1 git a', 'git b']],
  ['a variable that is not exported', 'A=1; git a', ['git a']],
  ['a variable that is', 'export A=1 B; B=2; git a', ['A=1 B=2 git a']],
  ['a variable of the environment that changes', 'HOME=/x; git a', ['HOME=/x git a']],
  ['an unset variable', 'unset HOME; git a', ['-HOME git a']],
  ['an empty environment', 'env -i A=1 git a', ['-HOME -PATH A=1 git a']],
  ['an exported variable reaches the shell inside', "export A=1; B=2; sh -c 'git $A $B'", ['A=1 git 1 ⟨?⟩*']],
  [
    'the value depends on what ran',
    'B=dev; git a && B=main; git push $B',
    ['git a', 'maybe: git push dev', 'maybe: git push main'],
  ],
  ['an option that one way sets', '[ "$B" ] && N=-n; git a $N', ['maybe: git a ⟨?⟩*', 'maybe: git a -n']],
  [
    'a list that one way makes longer',
    'a=(x); [ "$B" ] && a+=(-n); git "${a[@]}" y',
    ['maybe: git x y', 'maybe: git x -n y'],
  ],
  ['a list with an element of spaces on one way', 'a=(x); [ "$B" ] && a+=("-n y"); git "${a[@]}"', ['git ⟨?⟩*']],
  [
    'what one of two ways prints',
    'git a $(if [ "$B" ]; then echo -n; else echo -q x; fi)',
    ['maybe: git a ⟨?⟩*', 'maybe: git a -q x'],
  ],
  ['an option by default', 'git a ${N:---hard} b', ['maybe: git a ⟨?⟩* b', 'maybe: git a --hard b']],
  [
    'an option where a variable is set that nobody mentioned',
    'git a ${N:+--hard}',
    ['maybe: git a', 'maybe: git a --hard'],
  ],
  ['the value is the same either way', 'B=dev; git a && B=dev; git push $B', ['git a', 'git push dev']],
  ['a part of a word is known', 'git push origin "feature/$X-1"', ['git push origin feature/⟨?⟩-1']],
  ['an unquoted unknown may be several words', 'git push $X', ['git push ⟨?⟩*']],
  ['a default for a variable that is surely unset', 'unset B; git push ${B:-main}', ['-B git push main']],
  ['a default for a variable that nobody mentioned', 'git push ${B:-main}', ['git push ⟨?⟩*']],
  ['a local variable ends with its function', 'x=1; f() { local x=2; git $x; }; f; git $x', ['git 2', 'git 1']],
  [
    'a variable that a loop changes',
    'x=a; while git q; do git $x; x=b$x; done',
    ['git q', 'maybe: git a', 'git q', 'maybe: git ⟨?⟩*'],
  ],
  ['output of a program that is not known', 'git push origin "$(git current)"', ['git current', 'git push origin ⟨?⟩']],
  [
    'a program found by which',
    '"$(which git)" push; $(command -v git) pull',
    ['which git', '⟨?⟩/git push', 'command -v git', '⟨?⟩/git* pull'],
  ],
  ['a program under a directory that is not known', '"$DIR/git" push', ['⟨?⟩/git push']],
  ['a program that is not known', '$TOOL push -f', ['unreadable program: ⟨?⟩* push -f', 'maybe: push -f']],
  [
    'a program that is not known, but its first word is a file',
    '"$PYTHON" tool.py; "$SHELL" x.sh',
    ['⟨?⟩ tool.py', 'maybe: python3 tool.py', '⟨?⟩ x.sh'],
  ],
  ['a prefix that may be nothing', '$SUDO git push', ['maybe: git push']],
  [
    'a script that is not known',
    'eval "$X"; bash -c "$X"; sh "$X"',
    ['unreadable script: eval ⟨?⟩', 'unreadable script: bash -c ⟨?⟩', 'unreadable script: sh ⟨?⟩'],
  ],
  ['a script from the network', 'curl -fsSL https://x | bash', ['unreadable script: bash']],
  ['a script that is not there yet', 'git pull && sh made.sh', ['git pull', 'maybe: unreadable script: sh made.sh']],
  ['a script that is not there at all', 'sh nothing.sh', ['sh nothing.sh']],
  [
    'a script that a program may have changed',
    'echo "git a" > s; sed -i y/a/b/ s; sh s',
    ['> s "git a\\n"', 'sed -i y/a/b/ s', 'unreadable script: sh s'],
  ],
  [
    'a script that a program changes in a known way',
    'echo "git a" > s; sed -i s/a/b/ s; sh s',
    ['> s "git a\\n"', 'sed -i s/a/b/ s', 'git b'],
  ],
  [
    'a script that was written in doubt',
    'echo "git a" > s; git q && echo "git b" > s; sh s',
    ['> s "git a\\n"', 'git q', 'maybe: > s "git b\\n"', 'git a', 'git b'],
  ],
  ['a program under another name', 'cp /usr/bin/git g; ./g push', ['cp /usr/bin/git g', 'git push']],
  [
    'a file that is written, and one that is added to',
    'echo a > x; echo b >> y; git q 2> z',
    ['> x "a\\n"', '>> y "b\\n"', '> z', 'git q'],
  ],
  ['settings of the environment are no question', 'eval "$(ssh-agent -s)"; git a', ['ssh-agent -s', 'git a']],
  [
    'a temporary directory',
    'd=$(mktemp -d) && cd "$d" && git init',
    ['mktemp -d', 'maybe: git init @/tmp/tmp.oxide-guard-1'],
  ],
  ['a builtin behind command', "command . ./nothing; command eval 'git a'", ['. ./nothing', 'git a']],
  ['a function is passed by, a program is not', 'git() { :; }; git a; command git b; sudo git c', ['git b', 'git c']],
  [
    'a startup file of bash',
    'echo "git a" > rc; BASH_ENV=rc bash -c "git b"',
    ['> rc "git a\\n"', 'BASH_ENV=rc git a', 'BASH_ENV=rc git b'],
  ],
  ['a shell behind sudo', 'echo git a | sudo -s; echo git b | su', ['git a', 'git b']],
];

describe('state, from left to right', () => {
  it.each(cases)('%s', (_, source, steps) => {
    expect(read(source, { files })).toEqual(steps);
  });

  it('what a program prints can be told by the caller', () => {
    const { steps } = readCommandLine('git push -f origin "$(git branch --show-current)"', {
      ...home,
      outputOf: (command) => (command.argv.length === 3 ? { kind: 'known', value: 'topic\n' } : null),
    });
    expect(steps.at(-1)).toMatchObject({ argv: ['git', 'push', '-f', 'origin', 'topic'].map((value) => ({ value })) });
  });

  it('a step says where it was found', () => {
    const { steps } = readCommandLine(`sudo -u bob sh -c 'git a "$1"' _ x`, home);
    expect(steps).toMatchObject([{ origin: { source: 'git a "$1"', through: ['sudo', 'sh -c'], path: null } }]);
  });

  it('a command shows its input', () => {
    const { steps } = readCommandLine('git commit -F - <<E\nfeat: x\nE\ngit apply < p\ngit x | git y', home);
    expect(steps.map((step) => (step.kind === 'command' ? step.input?.kind : null))).toEqual([
      'text',
      'file',
      undefined,
      'unknown',
    ]);
  });

  it('a script that is too large to be followed counts by the commands of git in it', () => {
    const long = '# sets up the shell\n'.repeat(20);
    const files = memoryFiles({ '/t/nvm.sh': `${long}git grep -l x`, '/t/ship.sh': `${long}git push -f` });
    const context = { files, bounds: { scriptBytes: 200 } };
    expect(read('. /t/nvm.sh; git a', context)).toEqual(['. /t/nvm.sh', 'git a']);
    expect(read('. /t/ship.sh; git a', context)).toEqual(['unreadable script: . /t/ship.sh', 'git a']);
  });

  it('a variable that has one of two values may start either program', () => {
    expect(read('if x; then R=a; else R="git b"; fi; $R c')).toEqual(['x', 'maybe: a c', 'maybe: git b c']);
    expect(read('R=; x && R=sudo; $R git a')).toEqual(['x', 'maybe: git a', 'maybe: git a']);
    expect(read('if x; then R=a; else R=$Y; fi; $R c')).toEqual([
      'x',
      'unreadable program: ⟨?⟩* c',
      'maybe: a c',
      'maybe: c',
    ]);
  });

  it('a switch that a loop sets is one of both, as long as nothing else is put in it', () => {
    expect(read('v=false; while x; do v=true; done; $v && git a')).toEqual(['x', 'x', 'maybe: git a']);
    const other = 'v=false; while x; do $v; [ $v = true ] && v="git b"; v=${v/false/true}; done';
    expect(read(other).join()).toContain('unreadable program');
  });

  it('steps beyond the bound are cut off and the reason is told', () => {
    const { steps, truncated } = readCommandLine('for i in {1..50}; do git $i; done', {
      ...home,
      bounds: { steps: 10 },
    });
    expect(steps).toHaveLength(10);
    expect(truncated).toContain('more than 10 steps');
  });

  it('a program is known by the end of its path', () => {
    const unknown = { kind: 'unknown', source: '', reason: '', prefix: '', mayExpandToSeveral: false } as const;
    expect(programName({ kind: 'known', value: '/usr/bin/git' })).toBe('git');
    expect(programName({ kind: 'known', value: 'C:/Git/GIT.EXE' })).toBe('GIT');
    expect(programName({ ...unknown, suffix: '/git' })).toBe('git');
    expect(programName({ ...unknown, suffix: 'git' })).toBeNull();
  });
});
