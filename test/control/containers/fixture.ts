import { defaultConfiguration } from '../../../src/config/configuration.ts';
import type { ActionTool } from '../../../src/control/action.ts';
import { Containers, type ContainersOptions } from '../../../src/control/containers/containers.ts';
import type { ContainerSettings } from '../../../src/control/containers/settings.ts';
import { containerTool } from '../../../src/control/containers/tool.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import { storeId } from '../../../src/control/store/identity.ts';
import { conventionOf } from '../../../src/guards/convention.ts';
import { fakeClock } from '../fake-clock.ts';
import { control, plain, remote, temporary } from '../projects/fixture.ts';
import { testImage } from './engines.ts';

const busybox = {
  types: { busybox: { kind: 'image', image: testImage, description: 'busybox' } },
  defaultType: 'busybox',
} as const;

const lenient = {
  ...defaultConfiguration,
  rules: Object.fromEntries(
    Object.keys(defaultConfiguration.rules).map((rule) => [rule, 'off']),
  ) as typeof defaultConfiguration.rules,
};

/** A project with its default workspace, and the containers of a server. */
export async function containersAt(
  env: NodeJS.ProcessEnv,
  { rules, ...settings }: Partial<ContainerSettings> & { readonly rules?: 'off' } = {},
  root = temporary(),
) {
  const { projects, workspaces, directories, database } = await control(root);
  const { project, workspace } = await projects.create({ ...plain, sourceUrl: remote() }, {});
  const clock = fakeClock(Date.now());
  const options: ContainersOptions = {
    database,
    store: await storeId(database),
    projects: { workspace: (projectId, workspaceId) => workspaces.get(projectId, workspaceId) },
    directories,
    clock,
    env,
    settings: { ...busybox, ...settings },
    convention: async () => conventionOf(rules === 'off' ? lenient : defaultConfiguration),
  };
  const containers = new Containers(options);
  return {
    project,
    workspace,
    workspaces,
    clock,
    containers,
    options,
    database,
    ...calling(containerTool(containers), project.projectId),
  };
}

/** Another server on the same state, as after a restart. */
export function restarted(options: ContainersOptions, projectId: string) {
  const containers = new Containers(options);
  return { containers, ...calling(containerTool(containers), projectId) };
}

export type Data = Readonly<Record<string, unknown>>;

function calling(tool: ActionTool, projectId: string) {
  /** Calls an action as the server's dispatcher does, and gives its structured result. */
  const call = async (name: string, input: Data = {}, signal = new AbortController().signal): Promise<Data> => {
    const action = tool.actions[name];
    if (action === undefined) {
      throw new Error(`no action ${name}`);
    }
    const parsed = action.schema.parse({ project_id: projectId, ...input });
    return (await action.run(parsed, { principal: localAdmin, signal, progress: () => undefined })).data;
  };
  /** Runs a command line. */
  const exec = (command: string, input: Data = {}, signal?: AbortSignal) => call('exec', { command, ...input }, signal);
  return { call, exec };
}
