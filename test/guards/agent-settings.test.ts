import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyRepository, type GuardedRepository } from './guarded-repository.ts';

const hook = JSON.stringify({ hooks: [{ command: '/usr/bin/node /opt/guard/dist/hook/agent.cjs --agent copilot' }] });

let repository: GuardedRepository;
let without: GuardedRepository;
beforeAll(() => {
  [repository, without] = [emptyRepository(), emptyRepository()];
  for (const path of ['.claude/settings.json', '.github/hooks/oxide-guard.json', '.grok/hooks/guard.json']) {
    repository.write(path, hook);
    without.write(path, '{"hooks":[]}\n');
  }
  repository.write('.opencode/plugins/oxide-guard.js', 'const hook = "/opt/guard/dist/hook/agent.cjs";\n');
  for (const { write, git } of [repository, without]) {
    write('.github/workflows/ci.yml', 'on: push\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'feat: a');
  }
});

describe('the hook of an agent, wherever the guard was installed from', () => {
  it.each([
    'rm .claude/settings.json',
    "sed -i '/agent.cjs/d' .claude/settings.json",
    "echo '{}' > .claude/settings.json",
    'rm -rf .github',
    'rm -rf .github/hooks',
    'cd .github && rm -rf hooks',
    'git rm -r .github',
    'find .github -type f -delete',
    'rm -rf .grok',
    'mv .opencode .oc',
    `python3 -c "import shutil; shutil.rmtree('.github')"`,
  ])('is not taken away by %s', async (line) => {
    const { verdict, findings } = await repository.judge(line);
    expect([verdict, findings[0]?.rule]).toEqual(['deny', 'skip-checks']);
  });

  it.each([
    'rm -rf .github/workflows',
    'mkdir -p .github/hooks && cp a .github/workflows/',
    'echo x > .github/CODEOWNERS',
    'find .github -name "*.yml" -delete',
    'cat .github/hooks/oxide-guard.json',
  ])('is left where it is by %s', async (line) => {
    expect((await repository.judge(line)).findings.map(({ rule }) => rule)).toEqual([]);
  });

  it.each(['rm -rf .github', 'rm .claude/settings.json', 'mv .grok x'])(
    'is not seen where it is none: %s',
    async (line) => {
      expect((await without.judge(line)).verdict).toBe('allow');
    },
  );
});

describe('the program that an agent starts, wherever the guard was installed', () => {
  let elsewhere: GuardedRepository;
  let program: string;
  beforeAll(() => {
    const prefix = mkdtempSync(join(tmpdir(), 'oxide-guard-prefix-'));
    program = join(prefix, 'dist/hook/agent.cjs');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '');
    elsewhere = emptyRepository();
    const command = `NODE_OPTIONS= /usr/bin/node --flag ${program} --agent claude || exec node ${program} --again`;
    elsewhere.write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ command }] } }));
  });

  it.each([
    'echo 0 > PROGRAM',
    'cp /dev/null PROGRAM',
    "sed -i 's/deny/allow/' PROGRAM",
    'chmod a-r PROGRAM',
    'rm PROGRAM',
    'rm -rf PREFIX/dist',
    'mv PREFIX PREFIX.old',
  ])('is not changed by %s', async (line) => {
    const { verdict, findings } = await elsewhere.judge(placed(line));
    expect([verdict, findings[0]?.rule]).toEqual(['deny', 'skip-checks']);
  });

  it.each([
    'cat PROGRAM',
    'cp PROGRAM here.cjs',
    'cp a.txt PREFIX/',
    'rm -rf dist',
    'rm -rf PREFIX/other',
    'ls PREFIX',
  ])('is left as it is by %s', async (line) => {
    expect((await elsewhere.judge(placed(line))).findings).toEqual([]);
  });

  const placed = (line: string) =>
    line.replaceAll('PROGRAM', program).replaceAll('PREFIX', dirname(dirname(dirname(program))));
});
