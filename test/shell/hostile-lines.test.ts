import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';

const context = { cwd: '/nowhere', env: { PATH: '/usr/bin' } };
const count = 20_000;
const blanks = ' '.repeat(10 * count);
const lineEnds = '\n'.repeat(10 * count);

/** Lines that once took minutes: an agent's hook that is killed lets its command pass. */
const lines: Readonly<Record<string, string>> = {
  'an awk program of prints': `awk '${'print "a" '.repeat(count)}' f; git push -f`,
  'an awk program of values': `awk 'BEGIN{${'print "a" $b '.repeat(count)}}'; git push -f`,
  'a node program of calls': `node -e '${'execSync('.repeat(count)}'; git push -f`,
  'a python program of calls': `python3 -c 'import subprocess\n${'subprocess.run('.repeat(count)}'; git push -f`,
  'an awk program of one long name': `awk '${'a'.repeat(10 * count)}' f; git push -f`,
  'an awk program of open quotes': `awk '${'\\"'.repeat(count)}' f; git push -f`,
  'a node program with a call before blanks': `node -e 'exec${blanks}("")'; git push -f`,
  'a python program behind empty lines': `python3 <<'EOF'\n${lineEnds}print(1)\nEOF\ngit push -f`,
  'a script of sed that is blank': `sed '${blanks}p' f; git push -f`,
  'a script of sed of many groups': `sed -i 's/${'\\(a*\\)*'.repeat(count)}b/c/' f; git push -f`,
  'a makefile that is blank': `cat > Makefile <<'EOF'\n${blanks}\nall:\n\techo\nEOF\nmake; git push -f`,
  'a python program that uses a library': `python3 -c 'from git import Repo\n${'r.git.push('.repeat(count)}'; git push -f`,
  'a python program with a long text': `python3 -c 'import os\nx = "${'some words here, '.repeat(count / 10)}"\nos.system("ls")'; git push -f`,
  'a python program of lists in lists': `python3 -c 'import subprocess\nsubprocess.run(${'['.repeat(count)}"git"${']'.repeat(count)})'; git push -f`,
  'a python program that names a long word': `python3 -c 'import sys\n${'print(sys.argv[1])\n'.repeat(count / 10)}' ${'w'.repeat(2 * count)}; git push -f`,
  'a script that a word is put into': `ls | xargs -I{} sh -c '${'echo {};'.repeat(count)}'; git push -f`,
  'a case with a pattern of many stars': `case ${'a'.repeat(60)} in ${'*a'.repeat(20)}b) ls ;; esac; git push -f`,
  'a test with a pattern of many stars': `[[ ${'a'.repeat(60)} == ${'*a'.repeat(20)}b ]]; git push -f`,
  'a case over a long text': `V=aaaaaaaa; ${'V=$V$V; '.repeat(14)} case $V in *a*a*b) ls ;; esac; git push -f`,
  'an expression over a long text': `V=aaaaaaaa; ${'V=$V$V; '.repeat(14)} [[ $V =~ a*b ]]; git push -f`,
  'a case with a list that repeats': `shopt -s extglob; case ${'a'.repeat(60)} in ${'+(a)'.repeat(20)}b) ls ;; esac; git push -f`,
};

describe('a line that is long in an unpleasant way', () => {
  for (const [name, line] of Object.entries(lines)) {
    it(`${name} is read to its end or given up`, () => {
      const { steps, truncated } = readCommandLine(line, context);
      const last = steps.at(-1);
      const isRead =
        last?.kind === 'command' && last.argv.some((word) => word.kind === 'known' && word.value === 'push');
      expect(isRead || truncated !== null).toBe(true);
    });
  }

  it('is read to its end behind a long stretch of white space', () => {
    const { steps, truncated } = readCommandLine(`python3 -c 'x = 1${lineEnds}' ${blanks}; git push -f`, context);
    expect(steps.at(-1)).toMatchObject({ argv: [{ value: 'git' }, { value: 'push' }, { value: '-f' }] });
    expect(truncated).toBeNull();
  });

  it('is read to its end behind a makefile with a line that expands to itself', () => {
    const makefile = "printf 'X = $$(X) :=\\n$(X)\\nall:\\n\\techo\\n' > Makefile";
    const { steps, truncated } = readCommandLine(`${makefile}; make; git push -f`, context);
    expect(steps.at(-1)).toMatchObject({ argv: [{ value: 'git' }, { value: 'push' }, { value: '-f' }] });
    expect([truncated, steps.some(({ kind }) => kind === 'unreadable')]).toEqual([null, false]);
  });

  it('is read without its NUL characters, as bash reads it', () => {
    const { steps } = readCommandLine('git pu\0sh -f', context);
    expect(steps[0]).toMatchObject({ argv: [{ value: 'git' }, { value: 'push' }, { value: '-f' }] });
  });
});
