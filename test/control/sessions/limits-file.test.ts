import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/control/sessions/limits-file.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { write } from './stage.ts';

function configured(text: string | null) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'oxide-guard'));
  if (text !== null) {
    write(join(directory, 'oxide-guard'), 'limits.json', text);
  }
  return { XDG_CONFIG_HOME: directory };
}

describe('the operator’s limits', () => {
  it('are some of them, or none', () => {
    expect(readLimits(configured(null))).toEqual({});
    expect(readLimits(configured('{"max_cost_usd": 2.5, "max_seconds": null}'))).toEqual({
      max_cost_usd: 2.5,
      max_seconds: null,
    });
  });

  it.each(['', '[]', '{"max_tokens": -1}', '{"max_token": 5}', '{"max_turns": "7"}'])(
    'that can’t be read stop the server, instead of being none: %s',
    (text) => {
      expect(() => readLimits(configured(text))).toThrow(/limits\.json' are not valid/);
    },
  );
});
