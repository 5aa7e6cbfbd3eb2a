/** What a request changes on the server. */
export interface Effect {
  /** `overwrite`: a branch is forced to another commit. `update`: it gets commits. `write`: anything else. */
  readonly kind: 'overwrite' | 'delete' | 'update' | 'write';
  /** The branch it is about, where the request names one. */
  readonly branch: string | null;
  /** It is the repository's default branch, whatever its name. */
  readonly isDefault?: true;
  /** For a person, after the command: `deletes the branch main`. */
  readonly says: string;
}

/** A call of a hosting service's interface with an effect on refs, their protection or the repository. */
export interface ApiCall {
  /** The command as people know it: `gh api -X DELETE …`. */
  readonly means: string;
  readonly effect: Effect;
  readonly suggestion: string;
}

interface Route {
  /** The path below the repository; the first group is a branch. */
  readonly path: RegExp;
  readonly methods: readonly string[];
  readonly effect: (branch: string | null, body: string) => Effect | null;
}

const write =
  (says: string) =>
  (branch: string | null): Effect => ({ kind: 'write', branch, says });

/** A branch, or the `default` one where none is named, gets commits. */
export function updated(branch: string): Effect {
  return { kind: 'update', ...named(branch), says: `updates ${described(branch)}` };
}

/** The same, and what it has beside them is lost. */
export function overwritten(branch: string): Effect {
  return { kind: 'overwrite', ...named(branch), says: `overwrites ${described(branch)}` };
}

function named(branch: string): Pick<Effect, 'branch' | 'isDefault'> {
  return branch === 'default' ? { branch: null, isDefault: true } : { branch };
}

function described(branch: string): string {
  return branch === 'default' ? 'the default branch' : `the branch ${branch}`;
}

/** What a field of a request says, in JSON or as a form; null: it says none, or it can't be read. */
function fieldOf(body: string, name: string): string | null {
  return (
    new RegExp(`(?:^|[\\s"'{,&])${name}["']?\\s*[=:]\\s*["']?([\\w./-]+)["']?(?=$|[\\s,}&])`).exec(body)?.[1] ?? null
  );
}

const isForced = (body: string) => /["']?force["']?\s*(?::=|[=:])\s*["']?(?:true|1)\b/i.test(body);

function toBranch(branch: string | null, says: string): Effect {
  return branch === null ? write(says)(null) : updated(branch);
}

/** GitHub: docs.github.com/rest, below `repos/OWNER/REPO`. */
const github: readonly Route[] = [
  { path: /^$/, methods: ['DELETE'], effect: write('deletes the repository') },
  { path: /^$/, methods: ['PATCH'], effect: write('changes the settings of the repository') },
  { path: /^\/transfer$/, methods: ['POST'], effect: write('gives the repository to another owner') },
  {
    path: /^\/git\/refs\/heads\/(.+)$/,
    methods: ['DELETE'],
    effect: (branch) => ({ kind: 'delete', branch, says: `deletes the branch ${branch}` }),
  },
  {
    path: /^\/git\/refs\/heads\/(.+)$/,
    methods: ['PATCH', 'POST', 'PUT'],
    effect: (branch, body) =>
      isForced(body)
        ? { kind: 'overwrite', branch, says: `overwrites the branch ${branch}` }
        : { kind: 'write', branch, says: `moves the branch ${branch}` },
  },
  // Of what is below `git` only refs can be deleted or changed.
  { path: /^\/git\/(?:refs\/.+|\{…\})$/, methods: ['DELETE'], effect: write('deletes a ref') },
  { path: /^\/git\/\{…\}$/, methods: ['PATCH', 'PUT'], effect: write('moves a ref') },
  { path: /^\/git\/refs(?:\/.*)?$/, methods: ['POST', 'PATCH', 'PUT'], effect: write('creates or moves a ref') },
  {
    path: /^\/branches\/(.+)\/protection.*$/,
    methods: ['PUT', 'POST', 'PATCH', 'DELETE'],
    effect: write('changes the protection of a branch'),
  },
  { path: /^\/branches\/(.+)\/rename$/, methods: ['POST'], effect: write('renames a branch') },
  {
    path: /^\/(?:rulesets|tags\/protection)(?:\/.*)?$/,
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    effect: write('changes the rules that protect branches and tags'),
  },
  // Gitea and Forgejo: below the same `repos/OWNER/REPO`.
  {
    path: /^\/branches\/([^/]+)$/,
    methods: ['DELETE'],
    effect: (branch) => ({ kind: 'delete', branch, says: `deletes the branch ${branch}` }),
  },
  {
    path: /^\/branch_protections(?:\/.*)?$/,
    methods: ['POST', 'PATCH', 'DELETE'],
    effect: write('changes the protection of a branch'),
  },
  {
    path: /^\/merges$/,
    methods: ['POST'],
    effect: (_, body) => toBranch(fieldOf(body, 'base'), 'merges into a branch'),
  },
  { path: /^\/merge-upstream$/, methods: ['POST'], effect: write('merges into a branch') },
  {
    path: /^\/contents\/.+$/,
    methods: ['PUT', 'DELETE'],
    effect: (_, body) => toBranch(fieldOf(body, 'branch'), 'commits to a branch'),
  },
  { path: /^\/releases\/[^/]+$/, methods: ['DELETE'], effect: write('deletes a release') },
];

/** GitLab: docs.gitlab.com/api, below `projects/ID`. */
const gitlab: readonly Route[] = [
  { path: /^$/, methods: ['DELETE'], effect: write('deletes the project') },
  { path: /^$/, methods: ['PUT'], effect: write('changes the settings of the project') },
  {
    path: /^\/repository\/branches\/(.+)$/,
    methods: ['DELETE'],
    effect: (branch) => ({ kind: 'delete', branch, says: `deletes the branch ${branch}` }),
  },
  {
    path: /^\/repository\/(?:branches|tags|commits|merged_branches|files)(?:\/.*)?$/,
    methods: ['POST', 'PUT', 'DELETE'],
    effect: write('changes branches or tags'),
  },
  {
    path: /^\/(?:protected_(?:branches|tags)|push_rule)(?:\/.*)?$/,
    methods: ['POST', 'PATCH', 'PUT', 'DELETE'],
    effect: write('changes the protection of a branch'),
  },
];

/** Bitbucket: below `repositories/WORKSPACE/REPO`. */
const bitbucket: readonly Route[] = [
  { path: /^$/, methods: ['DELETE', 'PUT'], effect: write('deletes or changes the repository') },
  {
    path: /^\/refs\/branches\/(.+)$/,
    methods: ['DELETE'],
    effect: (branch) => ({ kind: 'delete', branch, says: `deletes the branch ${branch}` }),
  },
  {
    path: /^\/(?:refs\/(?:branches|tags)|branch-restrictions|src)(?:\/.*)?$/,
    methods: ['POST', 'PUT', 'DELETE'],
    effect: write('changes branches, tags or their restrictions'),
  },
];

/** Azure: learn.microsoft.com/rest/api/azure/devops/git, below `git/repositories/REPO`. */
const azure: readonly Route[] = [
  { path: /^$/, methods: ['DELETE', 'PATCH'], effect: write('deletes or changes the repository') },
  {
    path: /^\/refs$/,
    methods: ['POST', 'PATCH'],
    effect: (_, body) => {
      const branch = /refs\/heads\/([\w./-]+)/.exec(body)?.[1] ?? null;
      return /newObjectId["']?\s*:\s*["']0+["']/.test(body)
        ? { kind: 'delete', branch, says: `deletes ${branch === null ? 'a ref' : `the branch ${branch}`}` }
        : { kind: 'overwrite', branch, says: `moves ${branch === null ? 'a ref' : `the branch ${branch}`}` };
    },
  },
  { path: /^\/pushes$/, methods: ['POST'], effect: write('commits to a branch') },
];
const azurePolicies: readonly Route[] = [
  { path: /^(?:\/\d+)?$/, methods: ['POST', 'PUT', 'DELETE'], effect: write('changes the protection of a branch') },
];

const services: readonly { readonly prefix: RegExp; readonly routes: readonly Route[] }[] = [
  // One variable may hold both the owner's and the repository's name.
  { prefix: /^repos\/\{…\}(?=$|\/(?:git|branches|rulesets|merges|contents|releases)(?:\/|$))/, routes: github },
  { prefix: /^repos\/[^/]+\/[^/]+/, routes: github },
  // It may hold the whole beginning of the path as well.
  { prefix: /^\{…\}(?=\/(?:git\/refs|branches\/[^/]+\/protection)(?:\/|$))/, routes: github },
  { prefix: /^projects\/[^/]+/, routes: gitlab },
  { prefix: /^repositories\/[^/]+\/[^/]+/, routes: bitbucket },
  { prefix: /^git\/repositories\/[^/]+/, routes: azure },
  { prefix: /^policy\/configurations/, routes: azurePolicies },
];

/**
 * What a request with a writing method does to refs, their protection or the repository; null: none of these.
 *
 * @param path `repos/o/r/git/refs/heads/main`, with or without a leading slash, host or query
 * @param body whatever of the request's fields is known
 */
export function effectOfRequest(method: string, path: string, body: string): Effect | null {
  const plain = path
    .replace(/^https?:\/\/[^/]+\/(?:api\/v\d\/)?/, '')
    .replace(/^\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
  const names = /^projects\//.test(plain) ? plain : decode(plain);
  for (const { prefix, routes } of services) {
    const [root] = prefix.exec(names) ?? [];
    if (root === undefined) {
      continue;
    }
    const below = names.slice(root.length);
    for (const route of routes) {
      const match = route.path.exec(below);
      if (match !== null && route.methods.includes(method)) {
        return route.effect(match[1] === undefined ? null : decode(match[1]), body);
      }
    }
  }
  return /^orgs\/[^/]+\/rulesets/.test(plain) ? write('changes the rules that protect branches and tags')(null) : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const mutations =
  /\b(deleteRef|updateRefs?|createRef|(?:create|update|delete)BranchProtectionRule|(?:create|update|delete)RepositoryRuleset|createCommitOnBranch|mergeBranch|archiveRepository|updateRepository)\b/;

/** The same for GraphQL: mutations on refs and their protection. */
export function effectOfGraphql(body: string): Effect | null {
  // What stands in strings, and in fields beside the query, is data.
  const query = /(?:^|\n)query=/.test(body) ? (/(?:^|\n)query=([\s\S]*?)(?=\n\w+=|$)/.exec(body)?.[1] ?? '') : body;
  const names = query.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    /^"(?:\s|\\n)*(?:query|mutation|fragment)\b/.test(text) ? text : '""',
  );
  const mutation = /\bmutation\b/.test(names) ? mutations.exec(names)?.[1] : undefined;
  if (mutation === undefined) {
    return null;
  }
  const branch = /refs\/heads\/([\w./-]+)/.exec(body)?.[1] ?? null;
  if (branch !== null && mutation === 'deleteRef') {
    return { kind: 'delete', branch, says: `deletes the branch ${branch}` };
  }
  const kind = mutation.startsWith('updateRef') && isForced(body) ? 'overwrite' : 'write';
  return { kind, branch, says: `runs the mutation ${mutation}` };
}
