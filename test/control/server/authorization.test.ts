import { describe, expect, it } from 'vitest';
import { parseScope } from '../../../src/control/principal.ts';
import { authorize, kindOf, type Reach, reachOf, scopeKinds } from '../../../src/control/server/authorization.ts';

/*
 * Every cell, written out: tool, action, then admin, admin:ro, project, project:ro.
 * A all, O what is of its own project, S shown what is of its own project, - none.
 */
const cells = `
project create                A - - -
project list                  A A S S
project get                   A A O O
project delete                A - - -
workspace list                A A O O
workspace delete              A - O -
container start               A - O -
container stop                A - O -
container logs                A A O O
container exec                A - O -
session spawn                 A - O -
session message               A - O -
session get                   A A O O
session list                  A A O O
session end                   A - O -
session events                A A O O
session cleanup               A - O -
token create                  A - - -
token list                    A A - -
token revoke                  A - - -
schedule create               A - O -
schedule list                 A A S S
schedule get                  A A O O
schedule update               A - O -
schedule delete               A - O -
schedule trigger              A - O -
project_options .             A A S S
project_changes .             A A O O
project_tasks .               A A O O
image_rebuild .               A - O -
caller_tool_response .        A - O -
config_limits .               A A O O
workspace_bash .              A - O -
workspace_read .              A A O O
workspace_write .             A - O -
workspace_edit .              A - O -
workspace_multi_edit .        A - O -
workspace_notebook_edit .     A - O -
workspace_glob .              A A O O
workspace_grep .              A A O O
unheard_of .                  A - - -
project unheard_of            A - - -
constructor .                 A - - -
project constructor           A - - -
`;

const reaches: Readonly<Record<string, Reach>> = { A: 'all', O: 'own', S: 'shown', '-': 'none' };

const rows = cells
  .trim()
  .split('\n')
  .map((line) => {
    const [tool = '', action = '', ...columns] = line.split(/\s+/);
    return { tool, action: action === '.' ? null : action, columns };
  });

describe.each(rows)('$tool $action', ({ tool, action, columns }) => {
  it.each(scopeKinds.map((kind, column) => [kind, columns[column] ?? ''] as const))('%s: %s', (kind, expected) => {
    expect(reachOf(kind, tool, action)).toBe(reaches[expected]);
    const scope = parseScope(kind.replace('project', 'project:p1'));
    expect(scope).not.toBeNull();
    if (scope !== null) {
      expect(kindOf(scope)).toBe(kind);
      const attempt = () => authorize(scope, tool, action);
      if (expected === '-') {
        expect(attempt).toThrow(expect.objectContaining({ code: 'forbidden' }));
      } else {
        expect(attempt()).toBe(reaches[expected]);
      }
    }
  });
});
