import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProjectInstructions } from '../../src/agent/project-instructions.ts';
import { readDefinitions } from '../../src/agent/subagents/definition.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { write } from './fixture.ts';

const texts = (cwd: string, root: string | null = cwd) => readProjectInstructions(cwd, root).map(({ text }) => text);

describe('instructions of a project', () => {
  it('are those of the root first, then the nearest; AGENTS.md before CLAUDE.md', () => {
    const root = temporaryDirectory();
    write(root, 'AGENTS.md', 'of the root\n');
    write(root, 'CLAUDE.md', 'not read\n');
    write(root, 'a/b/CLAUDE.md', 'of b\n');
    expect(texts(join(root, 'a/b'), root)).toEqual(['of the root', 'of b']);
    expect(texts(join(root, 'a/b'), null)).toEqual(['of b']);
  });

  it('may be a link within the project, but none that leads out of it', () => {
    const root = temporaryDirectory();
    const outside = temporaryDirectory();
    write(outside, 'key', 'PRIVATE KEY');
    write(root, 'docs/agents.md', 'within');
    symlinkSync('docs/agents.md', join(root, 'AGENTS.md'));
    expect(texts(root)).toEqual(['within']);
    symlinkSync(join(outside, 'key'), join(root, 'docs/CLAUDE.md'));
    expect(texts(join(root, 'docs'), root)).toEqual(['within']);
  });

  it.skipIf(skipUnless(process.platform !== 'win32', 'instructions that are a pipe: Windows has no such files'))(
    'that are a pipe are left out, and nobody waits for them',
    () => {
      const root = temporaryDirectory();
      write(root, '.oxide-guard/agents/ok.md', '---\ndescription: x\n---\n');
      for (const path of ['AGENTS.md', '.oxide-guard/agents/pipe.md']) {
        execFileSync('mkfifo', [join(root, path)]);
      }
      expect(texts(root)).toEqual([]);
      expect(readDefinitions(root).problems).toEqual([expect.stringContaining('is a pipe')]);
    },
  );

  it('that are very long are cut', () => {
    const root = temporaryDirectory();
    write(root, 'AGENTS.md', 'ä'.repeat(200_000));
    expect(texts(root)[0]?.length).toBeLessThan(33_000);
  });
});
