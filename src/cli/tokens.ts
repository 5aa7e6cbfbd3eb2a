import { pasteable } from '../own-command.ts';
import { type ControlData, controlCommand, givenFields } from './control-call.ts';
import { fieldColumns, tableLines } from './table.ts';

const columns = fieldColumns({
  TOKEN: 'token_id',
  NAME: 'name',
  SCOPE: 'scope',
  STATUS: 'status',
  'LAST USED': 'last_used_at',
  EXPIRES: 'expires_at',
});

export const tokens = controlCommand({
  name: 'tokens',
  description: 'Tokens of the control plane’s HTTP clients; without an action, lists them',
  options: {
    '--scope <scope>': 'With create: admin, admin:ro, project:ID or project:ID:ro',
    '--expires-in <time>': 'With create: 90m, 12h, 7d; default: never',
  },
  actions: {
    list: {
      run: async ({ call, show, json, console }) => {
        const data = await call('token', { action: 'list' });
        const rows = data.tokens as readonly ControlData[];
        show(data, () => tableLines(rows, columns, console.colors));
        if (rows.length === 0 && !json) {
          console.err(pasteable('There is no token. To make one: oxide-guard tokens create NAME --scope admin'));
        }
      },
    },
    create: {
      needs: 'NAME --scope admin',
      run: async ({ call, id, option, show, json, console }) => {
        const fields = givenFields({ scope: option('scope'), expires_in: option('expiresIn') });
        const data = await call('token', { action: 'create', name: id, ...fields });
        // The secret alone is the result, so that a script can take it; what is to be known of it goes beside.
        show(data, () => [String(data.token)]);
        if (!json) {
          console.err(
            `${console.colors.green('✓')} ${String(data.token_id)}, ${String(data.scope)}. It is shown this once.`,
          );
        }
      },
    },
    revoke: {
      needs: 'ID',
      run: async ({ call, id, show, console }) => {
        const data = await call('token', { action: 'revoke', token_id: id });
        show(data, () => [`${console.colors.green('✓')} ${String(data.token_id)} no longer holds.`]);
      },
    },
  },
});
