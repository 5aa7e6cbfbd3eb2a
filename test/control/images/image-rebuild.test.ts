import { expect, it } from 'vitest';
import { createImages } from '../../../src/control/images/images.ts';
import { imageRebuildTool } from '../../../src/control/images/tool.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { describeOnEachEngine, noEngineHost, testImage } from '../containers/engines.ts';
import { containersAt } from '../containers/fixture.ts';
import { write } from '../projects/fixture.ts';

async function imagesAt(env: NodeJS.ProcessEnv, settings: Parameters<typeof containersAt>[1] = {}) {
  const setting = await containersAt(env, settings);
  const { action } = imageRebuildTool(createImages({ ...setting.options, containers: setting.containers }));
  const said: string[] = [];
  const rebuild = async (input: object, signal = new AbortController().signal) =>
    (
      await action.run(action.schema.parse(input), {
        principal: localAdmin,
        signal,
        progress: (text, done, total) => said.push(`${done}/${total} ${text}`),
      })
    ).data;
  return { ...setting, rebuild, said, project_id: setting.project.projectId };
}

describeOnEachEngine('an image', ({ tier, engine, env }) => {
  it('is built from the project’s Dockerfile, and is what its container runs', async () => {
    const { rebuild, said, project_id, workspace, call, exec } = await imagesAt(env());
    write(workspace.directory, 'Dockerfile', `FROM ${testImage}\nCOPY readme.md /etc/copied\nENV COLOUR=red\n`);
    write(workspace.directory, '.env', 'KEY=1\n');
    const built = await rebuild({ project_id });
    expect(built).toMatchObject({ tier, dockerfile: 'Dockerfile', left_out: ['.env'] });
    expect(said.some((line) => /^\d\/3 .*COPY readme\.md/.test(line))).toBe(true);
    expect(await call('start')).toMatchObject({ image: built.image });
    expect(await exec('cat /etc/copied; echo $COLOUR')).toMatchObject({ stdout: 'hello\nred\n' });

    write(workspace.directory, '.oxide-guard/Dockerfile', `FROM ${testImage}\nENV COLOUR=blue\n`);
    expect(await rebuild({ project_id })).toMatchObject({ dockerfile: '.oxide-guard/Dockerfile' });
    expect(await exec('echo $COLOUR')).toMatchObject({ stdout: 'red\n' });
    expect(await call('start')).toMatchObject({ started: false, outdated: true });
    await call('stop');
    expect(await call('start')).toMatchObject({ started: true, outdated: false });
    expect(await exec('echo $COLOUR')).toMatchObject({ stdout: 'blue\n' });
    await call('stop');
  });

  it('is built for a type of containers', async () => {
    const type = { kind: 'dockerfile', dockerfile: `FROM ${testImage}\nENV TYPE=own\n`, description: '' } as const;
    const { rebuild, call, exec } = await imagesAt(env(), { types: { own: type }, defaultType: 'own' });
    await expect(call('start')).rejects.toMatchObject({ code: 'no-image' });
    await rebuild({ container_type: 'own' });
    await call('start');
    expect(await exec('echo $TYPE')).toMatchObject({ stdout: 'own\n' });
    await call('stop');
  });

  it('asks no registry for a base image that is missing, and names it', async () => {
    const { rebuild, project_id, workspace } = await imagesAt(env());
    write(workspace.directory, 'Dockerfile', 'FROM registry.invalid/none:1\n');
    await expect(rebuild({ project_id })).rejects.toMatchObject({
      code: 'base-image-missing',
      message: expect.stringContaining('registry.invalid/none:1'),
    });
    await expect(rebuild({ container_type: 'node' })).rejects.toMatchObject({ code: 'base-image-missing' });
  });

  it('tells why it could not be built', async () => {
    const { rebuild, project_id, workspace } = await imagesAt(env());
    await expect(rebuild({ project_id })).rejects.toMatchObject({ code: 'no-dockerfile' });
    write(workspace.directory, 'Dockerfile', `FROM ${testImage}\nRUN echo this fails; exit 7\n`);
    await expect(rebuild({ project_id })).rejects.toMatchObject({
      code: 'build-failed',
      message: expect.stringMatching(/this fails/),
    });
    write(workspace.directory, 'Dockerfile', 'FROM\nNONSENSE\n');
    await expect(rebuild({ project_id })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:build-failed|registry-not-allowed)$/),
    });
    await expect(rebuild({ container_type: 'none' })).rejects.toMatchObject({ code: 'unknown-container-type' });
    await expect(rebuild({})).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('downloads nothing that a base image asks for (ONBUILD)', async () => {
    const { rebuild, project_id, workspace } = await imagesAt(env());
    const base = 'localhost/local/onbuild:1';
    const context = temporaryDirectory();
    write(context, 'Dockerfile', `FROM ${testImage}\nONBUILD ADD https://registry.invalid/file /file\n`);
    // Only Docker's format of an image knows of it.
    engine()?.command('build', ...(tier === 'podman' ? ['--format', 'docker'] : []), '-t', base, context);
    write(workspace.directory, 'Dockerfile', `FROM ${base}\n`);
    await expect(rebuild({ project_id })).rejects.toMatchObject({
      code: 'registry-not-allowed',
      message: expect.stringMatching(/onbuild:1.*ONBUILD.*registry\.invalid/),
    });
  });

  it('has steps without a network', async () => {
    const { rebuild, project_id, workspace, call, exec } = await imagesAt(env());
    write(workspace.directory, 'Dockerfile', `FROM ${testImage}\nRUN grep -c : /proc/net/dev >/interfaces\n`);
    await rebuild({ project_id });
    await call('start');
    expect(await exec('cat /interfaces')).toMatchObject({ stdout: '1\n' });
    await call('stop');
  });

  it('stops when the call is interrupted', async () => {
    const { rebuild, project_id, workspace } = await imagesAt(env());
    write(workspace.directory, 'Dockerfile', `FROM ${testImage}\nRUN sleep 30\n`);
    await expect(rebuild({ project_id }, AbortSignal.timeout(2_000))).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is not built from a Dockerfile that is a link', async () => {
    const { rebuild, project_id, workspace } = await imagesAt(env());
    process.getBuiltinModule('node:fs').symlinkSync('/etc/passwd', `${workspace.directory}/Dockerfile`);
    await expect(rebuild({ project_id })).rejects.toMatchObject({ code: 'no-dockerfile' });
  });
});

it('an image needs an engine', async () => {
  const { rebuild } = await imagesAt({ ...process.env, DOCKER_HOST: noEngineHost });
  await expect(rebuild({ container_type: 'base' })).rejects.toMatchObject({ code: 'no-engine' });
});
