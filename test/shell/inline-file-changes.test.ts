import { describe, expect, it } from 'vitest';
import { memoryFiles, read } from './script.ts';

/** A program that asks where its project lies. */
function atTop(line: string): string {
  return `import os, subprocess\n${line}\ndef top():\n    return os.path.dirname(__file__)\nsubprocess.run(["git", "push", "-f"], cwd=top())\n`;
}

const files = memoryFiles({
  '/project/helper.py': 'import subprocess\ndef git(*args):\n    subprocess.run(["git", *args])\n',
  '/project/again.py': 'from helper import git\ngit("push", "-f")\n',
  '/project/run.js':
    'const { execSync } = require("child_process");\nconst run = (c) => execSync(c);\nmodule.exports = { run };\n',
  '/project/again.js': 'const { run } = require("./run");\nrun("git push -f");\n',
  '/project/pkg/__init__.py': '',
  '/project/pkg/__main__.py': 'from .vcs import git\ngit("push", "-f")\n',
  '/project/pkg/vcs.py': 'import subprocess\ndef git(*args):\n    subprocess.run(["git", *args])\n',
  '/project/imports.py': 'import subprocess\nimport pkg\n',
  '/project/typed.ts':
    'import { execSync } from "node:child_process";\nexport function sh(c: string): void {\n  execSync(c);\n}\nexport const run = (c: string): Promise<void> => execSync(c);\n',
  '/project/one.ts': 'import { sh } from "./typed";\nsh("git push -f");\n',
  '/project/two.ts': 'import { run } from "./typed";\nrun("git push -f");\n',
  '/project/only.js': 'const { run } = require("./run");\nmap(run);\n',
  '/project/release.py': 'import subprocess\nsubprocess.run(["git", "push", "-f"])\n',
  '/project/trial.py': 'import subprocess\nsubprocess.run(["git", "push", "-f"], cwd=made)\nsubprocess.run(words)\n',
  '/project/top.py': atTop('templates = []'),
  '/project/elsewhere.py': atTop('import tempfile'),
  '/project/ship.js': 'require("child_process").execSync("git push -f");\n',
});

/** What is done to files, without the interpreter itself. */
function changes(source: string): readonly string[] {
  return read(source, { files }).filter((line) => !/^(?:maybe: )?(?:python3|node|perl|ruby|php) /.test(line));
}

const removal = ['rm -rf -- .git'];

describe('an inline program changes files that it names', () => {
  it.each<readonly [source: string, steps: readonly string[]]>([
    [`python3 -c "import shutil; shutil.rmtree('.git')"`, removal],
    [`python3 -c "import shutil as s; s.rmtree('.git')"`, removal],
    [`python3 -c "from pathlib import Path; Path('.git').unlink()"`, removal],
    [`node -e "require('fs').rmSync('.git', {recursive: true})"`, removal],
    [`perl -e 'use File::Path "remove_tree"; remove_tree(".git")'`, removal],
    [`ruby -e 'FileUtils.rm_rf(".git")'`, removal],
    [`php -r 'unlink(".git");'`, removal],
    [`python3 -c "import os; os.rename('a', 'b')"`, ['mv -- a b']],
    [`python3 -c "import os; os.chmod('a', 0)"`, ['chmod -- MODE a']],
    [`python3 -c "open('a', 'w').write('x')"`, ['> a "x"']],
    [`node -e "require('fs').writeFileSync('a', 'x')"`, ['> a "x"']],
    [`perl -e 'open(F, ">", "a")'`, ['> a']],
    [`ruby -e 'File.write("a", "x")'`, ['> a "x"']],
    [`python3 -c "open('a', 'a').write('x')"`, ['> a']],
    [`python3 -c "open('a', 'w').write(x)"`, ['> a']],
    [`python3 -c "f = open('a', 'w'); f.write('x'); f.close()"`, ['> a "x"']],
    [`python3 -c "f = open('a', 'w'); f.write('x'); f.write('y')"`, ['> a']],
    [`python3 -c "with open('a', 'w') as f: f.write('x')"`, ['> a "x"']],
  ])('%s', (source, steps) => {
    expect(changes(source)).toEqual(steps);
  });
});

describe('an inline program gives names to paths', () => {
  it.each<readonly [program: string, source: string, steps: readonly string[]]>([
    ['python3', "d = '.git'\nopen(d + '/x', 'w')", ['> .git/x']],
    ['python3', "d = '.git'\nopen(f'{d}/x', 'w')", ['> .git/x']],
    ['python3', "d = Path('.git') / 'a'\np = d / 'x'\np.write_text('')", ['> .git/a/x ""']],
    ['node', "const d = path.join('.git', 'a');\nfs.writeFileSync(path.join(d, 'x'), '')", ['> .git/a/x ""']],
    ['node', "const d = '.git';\nfs.writeFileSync(`${d}/x`, '')", ['> .git/x ""']],
    ['python3', "d = '.git'\nd = pick()\nopen(d + '/x', 'w')", []],
    ['python3', "d = '.git'\nfor d in all:\n    open(d + '/x', 'w')", []],
    ['python3', "d = '.git'\ndef f(d):\n    open(d + '/x', 'w')", []],
    ['node', "const d = '.git';\nconst f = (d) => fs.writeFileSync(d + '/x', '');", []],
    ['python3', "for d in ('a', 'b'):\n    rmtree(f'../{d}')", ['rm -rf -- ../a', 'rm -rf -- ../b']],
    ['python3', "for d in ('a', 'b'):\n    rmtree('../' + d)", ['rm -rf -- ../a', 'rm -rf -- ../b']],
    ['python3', "for d in ('a', 'b'):\n    rmtree(Path('..') / d)", ['rm -rf -- ../a', 'rm -rf -- ../b']],
    ['python3', "for d in ('a', 'b'):\n    p = Path('..') / d\n    rmtree(p)", ['rm -rf -- ../a', 'rm -rf -- ../b']],
    ['python3', "for d in ('a', 'b'):\n    (Path('x') / d).unlink()", ['rm -rf -- x/a', 'rm -rf -- x/b']],
    ['python3', "for d in ['.git']:\n    rmtree(Path(d))", removal],
    [
      'python3',
      "l = [Path('..') / d for d in ('a', 'b')]\nfor d in l:\n    rmtree(d)",
      ['rm -rf -- ../a', 'rm -rf -- ../b'],
    ],
    ['python3', "r = Path('x').resolve()\nfor d in ['.git']:\n    (r.parent / d).unlink()", ['rm -rf -- x/../.git']],
    ['python3', "for d in ['a']:\n    p = Path('x', f'{d}.txt')\n    p.write_text('y')", ['> x/a.txt "y"']],
    ['python3', "w = 4\nfor h in (1, 2):\n    open(w / h, 'w')\nPath('a').read_text()", []],
    ['python3', "s = '.git'\nfor d in ('a', 'b'):\n    s.replace(d, 'c')\nPath('a').read_text()", []],
    ['python3', "d = 'a'\nrmtree('../%s' % d)", ['rm -rf -- ../a']],
    ['python3', "for d in ['a']:\n    rmtree('../{}'.format(d))", ['rm -rf -- ../a']],
    ['python3', "rmtree(os.path.join(os.pardir, 'a'))", ['rm -rf -- ../a']],
    ['node', "for (const d of ['a']) fs.rmSync(path.join('..', d))", ['rm -rf -- ../a']],
    ['python3', 'print("rmtree(\'a\')")', []],
    ['python3', 'exec("rmtree(\'a\')")', ['rm -rf -- a', 'rm -rf -- a']],
    ['node', '// fs.rmSync("a")', []],
  ])('%s: %s', (program, source, steps) => {
    expect(changes(`${program} - <<'E'\n${source}\nE`)).toEqual(steps);
  });
});

describe('an inline program only reads, or names nothing', () => {
  it.each([
    `python3 -c "print(open('a').read())"`,
    `python3 -c "print(open('a', 'r').read())"`,
    `node -e "console.log(require('fs').readFileSync('.git/HEAD', 'utf8'))"`,
    `node -e "fs.rmSync(path)"`,
    `python3 -c "names.remove('.git')"`,
  ])('%s', (source) => {
    expect(changes(source)).toEqual([]);
  });
});

describe('a program that lies on the disk is read', () => {
  it('for the commands that it names', () => {
    expect(changes('python3 release.py')).toEqual(['maybe: git push -f']);
    expect(changes('node ship.js')).toEqual(['maybe: git push -f']);
  });

  it('with the functions of others that it calls', () => {
    expect(changes('python3 again.py')).toEqual(['maybe: git push -f']);
    expect(changes('node again.js')).toEqual(['maybe: git push -f']);
    expect(changes('node only.js')).toEqual([]);
  });

  it('with the types of TypeScript', () => {
    expect(changes('node one.ts')).toEqual(['maybe: git push -f']);
    expect(changes('node two.ts')).toEqual(['maybe: git push -f']);
  });

  it('as a package of Python, which does something else where it is imported', () => {
    expect(changes('python3 -m pkg')).toEqual(['maybe: git push -f']);
    expect(changes('python3 pkg')).toEqual(['maybe: git push -f']);
    expect(changes('python3 imports.py')).toEqual([]);
  });

  it('but nobody is asked about what it puts together, or does in a directory of its own', () => {
    expect(changes('python3 trial.py')).toEqual([]);
    expect(changes('python3 elsewhere.py')).toEqual([]);
  });

  it('in the directory in which it says that it lies', () => {
    expect(changes('python3 top.py')).toEqual(['maybe: git push -f']);
  });

  it('not where it is only checked', () => {
    expect(changes('node --check ship.js')).toEqual([]);
  });
});

describe('a module that is a program of its own', () => {
  it('is that program', () => {
    expect(changes('python3 -m git_filter_repo --force')).toEqual(['git filter-repo --force']);
  });
});

describe('an inline program removes what a pattern matches', () => {
  it.each<readonly [program: string, source: string, steps: readonly string[]]>([
    [
      'python3',
      "for p in glob.glob('pkg/__*'):\n    rmtree(p)",
      ['rm -rf -- pkg/__init__.py', 'rm -rf -- pkg/__main__.py'],
    ],
    ['python3', "[rmtree(p) for p in sorted(Path('pkg').glob('v*'))]", ['rm -rf -- pkg/vcs.py']],
    ['python3', "rmtree(glob.glob('pkg/*')[-1])", ['rm -rf -- pkg/vcs.py']],
    ['python3', "for p in glob.glob('p*'):\n    if os.path.isdir(p): rmtree(p)", ['rm -rf -- pkg']],
    ['python3', "for p in glob.glob('p*'):\n    os.remove(p)", []],
    ['python3', "for p in glob.glob('*'):\n    if p.endswith('.tmp'): rmtree(p)", []],
    ['python3', "os.chdir('..')\nfor p in glob.glob('p*'):\n    rmtree(p)", []],
    ['node', "for (const p of fs.globSync('pk*')) fs.rmSync(p, { recursive: true })", ['rm -rf -- pkg']],
    ['ruby', 'Dir.glob("pk*").each { |d| FileUtils.rm_rf(d) }', ['rm -rf -- pkg']],
    ['ruby', 'FileUtils.rm_rf(Dir["pk*"])', ['rm -rf -- pkg']],
    ['ruby', 'Dir.glob("pk*").each { |d| FileUtils.rm_rf(d) if d == "x" }', []],
    ['perl', 'remove_tree(glob("pk*"));', ['rm -rf -- pkg']],
  ])('%s: %s', (program, source, steps) => {
    expect(changes(`${program} - <<'E'\n${source}\nE`)).toEqual(steps);
  });
});
