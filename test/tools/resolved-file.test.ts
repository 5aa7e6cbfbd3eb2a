import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeAtomically } from '../../src/tools/atomic-write.ts';
import { read } from '../../src/tools/read.ts';
import { openResolved } from '../../src/tools/resolved-file.ts';
import { write } from '../../src/tools/write.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { contextIn } from './fixture.ts';

const stale = expect.objectContaining({ code: 'ESTALE' });

describe.skipIf(skipUnless(process.platform === 'linux', 'only Linux tells what a descriptor is'))(
  'a directory that is replaced by a link after its path was resolved',
  () => {
    function replaced() {
      const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
      mkdirSync(join(root, 'd'));
      writeFileSync(join(outside, 'secret'), 'secret');
      const path = join(root, 'd', 'secret');
      renameSync(join(root, 'd'), join(root, 'e'));
      symlinkSync(outside, join(root, 'd'));
      return { path, outside };
    }

    it('is not read through', () => {
      expect(() => openResolved(replaced().path, 'r')).toThrow(stale);
    });

    it('is not written through, and nothing is left there', () => {
      const { path, outside } = replaced();
      expect(() => writeAtomically(path, Buffer.from('evil'), null)).toThrow(stale);
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    });

    it('lets nothing in or out while a command does it again and again', async () => {
      const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
      mkdirSync(join(root, 'd'));
      writeFileSync(join(outside, 'secret'), 'secret');
      writeFileSync(join(root, 'd', 'secret'), 'mine');
      const script = `while [ ! -e end ]; do mv d e; ln -s '${outside}' d; rm d; mv e d; done`;
      const racing = spawn('sh', ['-c', script], { cwd: root, stdio: 'ignore' });
      await sleep(50);
      const said: string[] = [];
      try {
        for (let round = 0; round < 400; round += 1) {
          said.push((await read.execute({ file_path: 'd/secret' }, contextIn(root))).text);
          await write.execute({ file_path: 'd/new', content: 'evil' }, contextIn(root));
        }
      } finally {
        // Killed, it would leave a child that still moves what is removed after the test.
        writeFileSync(join(root, 'end'), '');
        await once(racing, 'exit');
      }
      expect(said.filter((text) => text.includes('\tsecret'))).toEqual([]);
      expect(readdirSync(outside)).toEqual(['secret']);
    });
  },
);
