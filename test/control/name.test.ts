import { describe, expect, it } from 'vitest';
import { nameSchema } from '../../src/control/name.ts';

describe('a name', () => {
  it.each(['api', 'Team API 2', 'größe', '日本', '👩‍💻 tools', '-x', 'a/../b'])('may be %s', (name) => {
    expect(nameSchema.parse(name)).toBe(name);
  });

  it.each([
    ['nothing', '  '],
    ['two lines', 'a\nb'],
    ['what turns the text around it', 'a\u202eb'],
    ['what can’t be seen', '\u200b'],
    ['a joiner that joins nothing', 'api\u200d'],
    ['more than a line holds', 'x'.repeat(101)],
  ])('is not %s', (_, name) => {
    expect(nameSchema.safeParse(name).success).toBe(false);
  });

  it('is the same however its letters are composed', () => {
    expect(nameSchema.parse('e\u0301')).toBe(nameSchema.parse('\u00e9'));
  });
});
