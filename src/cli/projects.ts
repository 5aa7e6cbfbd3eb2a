import { described } from '../control/projects/tool.ts';
import { pasteable } from '../own-command.ts';
import { type ControlData, type ControlRequest, controlCommand, givenFields } from './control-call.ts';
import { fieldColumns, fieldLines, tableLines } from './table.ts';

const columns = fieldColumns({
  PROJECT: 'project_id',
  NAME: 'name',
  BRANCH: 'default_branch',
  SOURCE: 'source_url',
  CREATED: 'created_at',
});

const trashColumns = fieldColumns({
  PROJECT: 'project_id',
  NAME: 'name',
  SOURCE: 'source_url',
  DELETED: 'deleted_at',
});

export const projects = controlCommand({
  name: 'projects',
  description: 'Projects of the control plane; without an action, lists them',
  options: {
    '--source-url <url>': 'With create: what to clone',
    '--description <text>': 'With create: what the project is about',
    '--name-contains <text>': 'With list: only these',
    '--trash': 'With list: the deleted ones, which restore brings back',
  },
  actions: {
    list: {
      run: async (request) => {
        const { call, option, flag, show, json, console } = request;
        if (flag('trash')) {
          return listTrash(request);
        }
        const wanted = givenFields({ name_contains: option('nameContains') });
        const data = await call('project', { action: 'list', limit: 1000, ...wanted });
        const rows = data.projects as readonly ControlData[];
        show(data, () => tableLines(rows, columns, console.colors));
        if (rows.length === 0 && !json) {
          const way = 'oxide-guard projects create NAME --source-url URL';
          console.err(pasteable(`There is no project to show. To make one: ${way}`));
        }
      },
    },
    get: {
      needs: 'ID',
      run: async ({ call, id, show, console }) => {
        const data = await call('project', { action: 'get', project_id: id });
        show(data, () => fieldLines(data, console.colors));
      },
    },
    create: {
      needs: 'NAME --source-url URL',
      run: async ({ call, id, option, show, console }) => {
        const fields = givenFields({ source_url: option('sourceUrl'), description: option('description') });
        const data = await call('project', { action: 'create', name: id, ...fields });
        show(data, () => fieldLines(data, console.colors));
      },
    },
    delete: {
      needs: 'ID',
      run: async ({ call, id, show }) => {
        const data = await call('project', { action: 'delete', project_id: id });
        show(data, () => [pasteable(`Moved to the trash. For 30 days: oxide-guard projects restore ${id}`)]);
      },
    },
    // No client can do this: what was deleted by one, a person brings back.
    restore: {
      needs: 'ID',
      run: async ({ control, id, show, console }) => {
        const data = described(await control.projects.restore(id));
        show(data, () => fieldLines(data, console.colors));
      },
    },
  },
});

async function listTrash({ control, show, json, console }: ControlRequest): Promise<void> {
  const deleted = (await control.projects.trashed()).map((project) => ({
    ...described(project),
    deleted_at: new Date(project.trashedAt).toISOString(),
  }));
  show({ projects: deleted }, () => tableLines(deleted, trashColumns, console.colors));
  if (deleted.length === 0 && !json) {
    console.err('There is no project in the trash.');
  }
}
