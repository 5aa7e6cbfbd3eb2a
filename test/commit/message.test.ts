import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CleanupMode, type CleanupOptions, cleanMessage, cleanupOptions } from '../../src/commit/message.ts';

const repository = mkdtempSync(join(tmpdir(), 'oxide-guard-message-'));
const saved = join(repository, 'saved');

function git(...argv: string[]): string {
  return execFileSync('git', ['-C', repository, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, GIT_EDITOR: join(repository, 'editor.sh') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** The bytes of the commit's message, as git stores them. */
function recorded(): string {
  const object = git('-c', 'i18n.logOutputEncoding=UTF-8', 'cat-file', 'commit', 'HEAD');
  return object.slice(object.indexOf('\n\n') + 2);
}

/** Commits with an editor that writes `text` above git's template; what commit-msg saw comes back with what git kept. */
function commitInEditor(text: string, setting: string, ...options: string[]): { seen: Buffer; kept: string } {
  writeFileSync(join(repository, 'typed'), text);
  git('-c', setting, 'commit', '--allow-empty', ...options);
  return { seen: readFileSync(saved), kept: recorded() };
}

beforeAll(() => {
  git('init', '-q');
  writeFileSync(
    join(repository, 'editor.sh'),
    `#!/bin/sh\ncat "${repository}/typed" "$1" > "$1.new" && mv "$1.new" "$1"\n`,
    {
      mode: 0o755,
    },
  );
  writeFileSync(join(repository, '.git/hooks/commit-msg'), `#!/bin/sh\ncp "$1" "${saved}"\nenv > "${saved}.env"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(repository, 'file'), 'one\n');
  git('add', 'file');
});

describe('a message typed in the editor', () => {
  const typed = 'feat: x  \n\n\n\n# a comment\n#123 is one too\nbody\t\n \n\ntrailing\n\n\n';

  for (const cleanup of ['default', 'strip', 'whitespace', 'verbatim', 'scissors'] as CleanupMode[]) {
    it(`is what git keeps with commit.cleanup=${cleanup}`, () => {
      const { seen, kept } = commitInEditor(typed, `commit.cleanup=${cleanup}`);
      expect(cleanMessage(seen, { cleanup })).toBe(kept);
    });

    it(`is what git keeps with commit.cleanup=${cleanup} and the diff of commit -v`, () => {
      writeFileSync(join(repository, 'file'), `${cleanup}\n`);
      git('add', 'file');
      const { seen, kept } = commitInEditor(typed, `commit.cleanup=${cleanup}`, '-v');
      expect(seen.toString()).toContain('diff --git');
      expect(cleanMessage(seen, { cleanup })).toBe(kept);
    });
  }

  it('is what git keeps with another comment character, and with the one that git chooses itself', () => {
    for (const commentString of [';', 'auto']) {
      const { seen, kept } = commitInEditor('feat: x\n\n#12 stays\n', `core.commentChar=${commentString}`);
      expect(cleanMessage(seen, { commentString })).toBe(kept);
    }
    git('commit', '--allow-empty', '-m', 'feat: y\n\n#12 stays\n;13 too');
    writeFileSync(join(repository, 'typed'), '');
    git('-c', 'core.commentChar=auto', 'commit', '--amend', '--allow-empty');
    expect(cleanMessage(readFileSync(saved), { commentString: 'auto' })).toBe(recorded());
  });

  it('loses its carriage returns', () => {
    const { seen, kept } = commitInEditor('feat: x\r\n\r\nbody\r\n', 'commit.cleanup=default');
    expect(cleanMessage(seen)).toBe(kept);
    expect(kept).toBe('feat: x\n\nbody\n');
  });
});

describe('a message given with -m', () => {
  for (const cleanup of ['default', 'strip', 'whitespace', 'verbatim', 'scissors'] as CleanupMode[]) {
    it(`is what git keeps with commit.cleanup=${cleanup}`, () => {
      git('-c', `commit.cleanup=${cleanup}`, 'commit', '--allow-empty', '-m', 'fix: y \n\n\n#123 stays\n\n\n');
      expect(cleanMessage(readFileSync(saved), { cleanup, edited: false })).toBe(recorded());
    });
  }

  it('is told from an edited one by the environment of the hook', () => {
    git('commit', '--allow-empty', '-m', 'fix: y\n\n#123 stays');
    const environment = Object.fromEntries(
      readFileSync(`${saved}.env`, 'utf8')
        .split('\n')
        .map((line) => line.split('=', 2)),
    );
    const options: CleanupOptions = cleanupOptions(() => null, environment);
    expect(options.edited).toBe(false);
    expect(cleanMessage(readFileSync(saved), options)).toBe('fix: y\n\n#123 stays\n');
  });
});

describe('bytes', () => {
  it('are read in the encoding of i18n.commitEncoding', () => {
    expect(cleanMessage(Buffer.from([0x66, 0x69, 0x78, 0x3a, 0x20, 0xe9]), { encoding: 'ISO-8859-1' })).toBe(
      'fix: é\n',
    );
    expect(cleanMessage(Buffer.from([0xb2, 0xe2, 0xca, 0xd4]), { encoding: 'GBK' })).toBe('测试\n');
  });

  it('that are no UTF-8, or of an encoding nobody knows, throw nothing', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('utf-8', 'utf-16', 'klingon', ''),
        (raw, encoding) => {
          expect(typeof cleanMessage(raw, { encoding })).toBe('string');
        },
      ),
    );
  });

  it('of a byte order mark are dropped', () => {
    expect(cleanMessage(Buffer.from('\uFEFFfeat: x'))).toBe('feat: x\n');
    expect(cleanMessage('\uFEFFfeat: x')).toBe('feat: x\n');
  });
});

describe('any text', () => {
  it('is cleaned as git stripspace cleans it', () => {
    const piece = fc.constantFrom('a', '#', '# c', '\n', '\n', ' ', '\t', '\r', '\v', '\u00a0', ';');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, comments) => {
        const text = pieces.join('');
        const expected = execFileSync('git', ['stripspace', ...(comments ? ['--strip-comments'] : [])], {
          input: text,
          encoding: 'utf8',
          cwd: repository,
        });
        expect(cleanMessage(text, { cleanup: comments ? 'strip' : 'whitespace' })).toBe(expected);
      }),
      { numRuns: 150 },
    );
  });
});
