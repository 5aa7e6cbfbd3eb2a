import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BoundedOutput } from '../../src/tools/bounded-output.ts';
import { temporaryDirectory } from '../git/fixture.ts';

function written(chunks: readonly (string | Buffer)[], limit: number): string {
  const output = new BoundedOutput(limit);
  for (const chunk of chunks) {
    output.write(Buffer.from(chunk));
  }
  const text = output.text();
  output.close();
  expect(output.text()).toBe(text);
  return text;
}

function withTemporaryFilesIn(directory: string, run: () => void): void {
  vi.stubEnv('TMPDIR', directory);
  try {
    run();
  } finally {
    vi.unstubAllEnvs();
  }
}

describe('bounded output', () => {
  it('keeps all of a short output, and the beginning and the end of a long one', () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '.'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 20 }), fc.integer({ min: 2, max: 64 }), (chunks, limit) => {
        const all = chunks.join('');
        const [head, tail] = [Math.ceil(limit / 2), Math.floor(limit / 2)];
        const omitted = all.length - limit;
        expect(written(chunks, limit)).toBe(
          omitted <= 0
            ? all
            : `${all.slice(0, head)}\n[… ${omitted} bytes left out …]\n${all.slice(all.length - tail)}`,
        );
      }),
    );
  });

  it('cuts no character in two', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ä', '…', '𝄞'), minLength: 40, maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 32 }), (all, limit) => {
        const [head = '', tail = ''] = written([all], limit).split(/\n\[… \d+ bytes left out …\]\n/);
        expect(all.startsWith(head)).toBe(true);
        expect(all.endsWith(tail)).toBe(true);
      }),
    );
  });

  it('takes a character that arrives in two pieces', () => {
    const [first, second] = [Buffer.from('ä').subarray(0, 1), Buffer.from('ä').subarray(1)];
    expect(written([first, second], 100)).toBe('ä');
  });

  it('leaves no file behind', () => {
    const directory = temporaryDirectory();
    withTemporaryFilesIn(directory, () => {
      const output = new BoundedOutput();
      output.write(Buffer.from('x'));
      expect(readdirSync(directory)).toEqual([]);
      output.close();
    });
  });

  it('loses nothing where no file can be made', () => {
    withTemporaryFilesIn('/does/not/exist', () => {
      expect(written(['one ', 'two ', 'three'], 100)).toBe('one two three');
    });
  });

  it('loses nothing when the disk is full in the middle of a write', () => {
    const { writeSync } = fs;
    const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1, maxLength: 10 }), fc.nat(20), (chunks, room) => {
        const expected = written(chunks, 40);
        let left = room;
        vi.spyOn(fs, 'writeSync').mockImplementation(((
          descriptor: number,
          bytes: Buffer,
          offset: number,
          length: number,
          position: number,
        ) => {
          const part = Math.min(left, length);
          left -= part;
          if (part === 0) {
            throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
          }
          return writeSync(descriptor, bytes, offset, part, position);
        }) as typeof fs.writeSync);
        syncBuiltinESMExports();
        try {
          expect(written(chunks, 40)).toBe(expected);
        } finally {
          vi.restoreAllMocks();
          syncBuiltinESMExports();
        }
      }),
    );
  });
});
