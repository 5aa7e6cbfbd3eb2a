import { expect, test } from 'vitest';
import { builtins } from '../../src/shell/builtins/builtins.ts';
import { findCarrier } from '../../src/shell/programs/carriers.ts';
import { ordinaryPrograms } from '../../src/shell/programs/ordinary-programs.ts';
import { shellPrograms } from '../../src/shell/programs/shell-invocation.ts';
import { wrappers } from '../../src/shell/programs/wrappers.ts';

test.each([...ordinaryPrograms])('%s is no builtin and runs nothing else', (program) => {
  expect(builtins.has(program)).toBe(false);
  expect(wrappers.has(program)).toBe(false);
  expect(shellPrograms.has(program)).toBe(false);
  expect(findCarrier(program)).toBeNull();
});
