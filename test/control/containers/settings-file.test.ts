import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultContainerSettings } from '../../../src/control/containers/settings.ts';
import {
  containerSettingsFile,
  projectContainerSettings,
  readContainerSettings,
} from '../../../src/control/containers/settings-file.ts';
import { temporary, write } from '../projects/fixture.ts';
import { noEngineHost } from './engines.ts';
import { containersAt } from './fixture.ts';

function reading(content: string) {
  const env = { XDG_CONFIG_HOME: temporary() };
  write(env.XDG_CONFIG_HOME, 'oxide-guard/containers.json', content);
  return () => readContainerSettings(env);
}

describe('the settings of containers', () => {
  it('are the defaults where there is no file', () => {
    const env = { XDG_CONFIG_HOME: temporary() };
    expect(containerSettingsFile(env)).toBe(join(env.XDG_CONFIG_HOME, 'oxide-guard', 'containers.json'));
    expect({ ...defaultContainerSettings, ...readContainerSettings(env) }).toEqual(defaultContainerSettings);
  });

  it('are what the file says', () => {
    const types = { go: { image: 'golang:1' }, own: { dockerfile: 'FROM go\n', description: 'mine' } };
    const text = {
      isolation: 'required',
      memory_mib: 512,
      idle_stop_minutes: 5,
      types,
      default_type: 'go',
      pull: true,
    };
    expect(reading(JSON.stringify(text))()).toEqual({
      isolation: 'required',
      memory: 512 * 1024 * 1024,
      idleStop: 300_000,
      types: {
        go: { kind: 'image', image: 'golang:1', description: '' },
        own: { kind: 'dockerfile', dockerfile: 'FROM go\n', description: 'mine' },
      },
      defaultType: 'go',
      pull: true,
    });
  });

  const invalid: readonly [string, string, RegExp][] = [
    ['is no JSON', '{', /no JSON/],
    ['has a key that nobody knows', '{"isolated":true}', /isolated/],
    ['has a wrong value', '{"pids":"many"}', /pids/],
    ['names a type as no image can be', '{"types":{"A B":{"image":"x"}}}', /A B|characters/],
  ];
  it.each(invalid)('are refused when the file %s', (_, text, message) => {
    expect(reading(text)).toThrow(message);
  });
});

describe('what a project says of its containers', () => {
  it('is nothing, a type, or that they must be containers', () => {
    const workspace = temporary();
    expect(projectContainerSettings(workspace)).toEqual({ isolation: 'preferred', type: null });
    write(workspace, '.oxide-guard/containers.json', '{"type":"node","isolation":"required"}');
    expect(projectContainerSettings(workspace)).toEqual({ isolation: 'required', type: 'node' });
    write(workspace, '.oxide-guard/containers.json', '{"network":"default"}');
    expect(() => projectContainerSettings(workspace)).toThrow(/network/);
  });

  it('is not read through a link', () => {
    const workspace = temporary();
    write(workspace, '.oxide-guard/x', '');
    symlinkSync('/etc/passwd', join(workspace, '.oxide-guard', 'containers.json'));
    expect(projectContainerSettings(workspace)).toEqual({ isolation: 'preferred', type: null });
  });

  it('keeps its commands from running under bubblewrap', async () => {
    const { call, workspace } = await containersAt({ ...process.env, DOCKER_HOST: noEngineHost });
    write(workspace.directory, '.oxide-guard/containers.json', '{"isolation":"required"}');
    await expect(call('start')).rejects.toMatchObject({ code: 'isolation-required' });
  });
});
