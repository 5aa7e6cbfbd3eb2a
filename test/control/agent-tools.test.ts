import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentTools } from '../../src/control/agent-tools.ts';
import { fakeClock } from './fake-clock.ts';
import { actionsOfTools, standalone } from './tool-names.ts';

/** The files that are loaded with a file, as its static imports say; those for types alone are not. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(file);
  const statement = /^(?:import|export) (?!type\b)[^;]*? from '(\.{1,2}\/[^']+)'/gms;
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(statement)) {
    const path = normalize(join(dirname(file), target));
    if (!found.has(path)) {
      loadedWith(path, found);
    }
  }
  return found;
}

describe('the control plane’s tools for an agent', () => {
  it('are all that clients have', () => {
    const { tools } = agentTools({ env: {}, store: null, clock: fakeClock(), notify: () => {} });
    expect(tools.map(({ name }) => name).sort()).toEqual([...Object.keys(actionsOfTools), ...standalone].sort());
  });

  it('load neither a store nor sessions nor containers before one is called', () => {
    const loaded = [...loadedWith('src/control/agent-tools.ts')];
    expect(loaded.length).toBeGreaterThan(20);
    const heavy =
      /control\/(?:control|store\/|sessions\/sessions|containers\/(?:containers|engine)|projects\/projects|schedules\/scheduler)/;
    expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
  });

  it('know of each action whether it changes anything', () => {
    const { tools } = agentTools({ env: {}, store: null, clock: fakeClock(), notify: () => {} });
    const effects = (name: string, ...actions: string[]) => {
      const tool = tools.find((one) => one.name === name);
      return actions.map((action) => tool?.action?.({ action })?.effect ?? tool?.effect);
    };
    expect(effects('project', 'create', 'list', 'get', 'delete')).toEqual(['changes', 'reads', 'reads', 'changes']);
    expect(effects('session', 'spawn', 'events', 'end')).toEqual(['changes', 'reads', 'changes']);
    expect(effects('container', 'logs', 'exec', 'nothing')).toEqual(['reads', 'changes', 'changes']);
    expect(effects('config_limits', '')).toEqual(['reads']);
    expect(effects('caller_tool_response', '')).toEqual(['changes']);
  });
});
