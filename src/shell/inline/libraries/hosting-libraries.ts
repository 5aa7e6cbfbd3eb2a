import type { SourceArgument } from '../source/argument.ts';
import { wholeText } from '../source/command.ts';

/** A request by which a library does something to refs, their protection or a repository. */
export interface LibraryRequest {
  readonly method: string;
  /** Below the repository: `/git/refs/heads/main`. */
  readonly path: string;
  /** Fields that tell which branch it is about. */
  readonly body?: readonly string[];
}

/** A kind of call that makes one. */
export interface LibraryCall {
  /** What a program names that uses the library. */
  readonly library: RegExp;
  /** The address of its service, with the repository. */
  readonly address: string;
  /** Up to and with the opening parenthesis; the first group is the method. `HOLDER` is a name that {@link holders} finds. */
  readonly calls: RegExp;
  /** Where a variable is given what the methods belong to: its name, and what tells a ref in so many words. */
  readonly holders?: RegExp;
  readonly request: (given: Given, method: string) => LibraryRequest | null;
}

/** What a call is given, and what its holder was made with. */
export interface Given {
  readonly args: readonly SourceArgument[];
  readonly held: string | null;
}

/** Stands for what the program puts in. */
const open = '{…}';

const octokit = {
  library: /octokit|actions\/github|\bgithub\s*\.\s*rest\b/i,
  address: 'https://api.github.com/repos/o/r',
};
const pyGithub = { library: /\b(?:from|import)\s+github\b/, address: octokit.address };
const ghapi = { library: /\bghapi\b/, address: octokit.address };
const gitlab = { library: /\b(?:from|import)\s+gitlab\b|gitbeaker/, address: 'https://gitlab.com/api/v4/projects/1' };

/** An argument by its name, also in the one object that a call is given, or else by its place; null where it is not given. */
function value(args: readonly SourceArgument[], name: string, place: number): string | null {
  const written = args.flatMap((argument) => (argument.kind === 'other' ? argument.written : []));
  const option = new RegExp(`(?:^|[{,\\s])["']?${name}["']?\\s*(?:=(?!=)|:|=>)\\s*(?:["'\`]([^"'\`$]+)["'\`])?`);
  const shorthand = new RegExp(`[{,]\\s*${name}\\s*[,}]`);
  for (const text of written) {
    const found = option.exec(text);
    if (found !== null || shorthand.test(text)) {
      return found?.[1] ?? open;
    }
  }
  const positional = args.filter(
    (argument) => !(argument.kind === 'other' && /^[\w"'{[]*\s*[=:{]/.test(argument.written)),
  );
  const given = positional[place];
  return given === undefined ? null : (wholeText(given) ?? open);
}

const forced = (args: readonly SourceArgument[]): readonly string[] =>
  args.some(
    (argument) => argument.kind === 'other' && /^[Tt]rue$|\bforce["']?\s*(?:=|:|=>)\s*[Tt]rue\b/.test(argument.written),
  )
    ? ['force=true']
    : [];

const refPath = (ref: string | null): string => `/git/refs/${(ref ?? open).replace(/^refs\//, '')}`;
const toBranch = (name: string, branch: string | null): readonly string[] =>
  branch === null ? [] : [`${name}=${branch}`];

/** `deleteRef`, `update_ref`: where the ref stands. */
function refRequest(place: number): LibraryCall['request'] {
  return ({ args }, method) => ({
    method: /^delete/.test(method) ? 'DELETE' : 'PATCH',
    path: refPath(value(args, 'ref', place)),
    body: forced(args),
  });
}

const branchRequest: LibraryCall['request'] = ({ args }, method) => {
  const branch = value(args, 'branch', 1) ?? open;
  return /^delete/.test(method)
    ? { method: 'DELETE', path: `/git/refs/heads/${branch}` }
    : { method: 'PATCH', path: `/git/refs/heads/${branch}`, body: forced(args) };
};

function protectionRequest(place: number): LibraryCall['request'] {
  return ({ args }) => ({ method: 'PUT', path: `/branches/${value(args, 'branch', place) ?? open}/protection` });
}

const repositoryRequest: LibraryCall['request'] = (_, method) => ({
  method: /^delete/.test(method) ? 'DELETE' : 'PATCH',
  path: '',
});

function mergeRequest(place: number): LibraryCall['request'] {
  return ({ args }) => ({ method: 'POST', path: '/merges', body: toBranch('base', value(args, 'base', place)) });
}

/** Where a branch is not named it is the default one. */
const contentsRequest: LibraryCall['request'] = ({ args }) => ({
  method: 'PUT',
  path: '/contents/f',
  body: toBranch('branch', value(args, 'branch', Number.POSITIVE_INFINITY)),
});

const ofOctokit: readonly LibraryCall[] = [
  { ...octokit, calls: /\b(deleteRef|updateRef)\s*\(/g, request: refRequest(0) },
  { ...octokit, calls: /\b(?:delete|update|remove)BranchProtection\s*\(()/g, request: protectionRequest(0) },
  { ...octokit, calls: /\brepos\s*\.\s*(delete|update)\s*\(/g, request: repositoryRequest },
  { ...octokit, calls: /\brepos\s*\.\s*(merge)\s*\(/g, request: mergeRequest(0) },
  { ...octokit, calls: /\.\s*(createOrUpdateFileContents|deleteFile)\s*\(/g, request: contentsRequest },
  // Ruby's client takes the repository first.
  { ...octokit, calls: /\.\s*(delete_ref|update_ref)\s*\(/g, request: refRequest(1) },
  { ...octokit, calls: /\.\s*(delete_branch|update_branch)\s*\(/g, request: branchRequest },
  { ...octokit, calls: /\.\s*(?:un)?protect_branch\s*\(()/g, request: protectionRequest(1) },
  { ...octokit, calls: /\.\s*(delete_repo|delete_repository|edit_repository)\s*\(/g, request: repositoryRequest },
  {
    ...octokit,
    calls: /\.\s*(merge)\s*\(/g,
    request: (given, method) =>
      /^[\w.-]+\/[\w.-]+$/.test(wholeText(given.args[0]) ?? '') ? mergeRequest(1)(given, method) : null,
  },
  { ...ghapi, calls: /\bgit\s*\.\s*(delete_ref|update_ref)\s*\(/g, request: refRequest(0) },
  { ...ghapi, calls: /\brepos\s*\.\s*(?:delete|update)_branch_protection\s*\(()/g, request: protectionRequest(0) },
  { ...ghapi, calls: /\brepos\s*\.\s*(delete|update)\s*\(/g, request: repositoryRequest },
  { ...ghapi, calls: /\brepos\s*\.\s*(merge)\s*\(/g, request: mergeRequest(0) },
];

/** `repo = …get_repo(…)` */
const repositories = /\b(\w+)\s*(?:=(?!=)|\bin\b)[^\n;=]{0,200}\.\s*(?:get_repos?|create_repo)\s*\(/g;

const ofPython: readonly LibraryCall[] = [
  {
    ...pyGithub,
    calls: /(?:\bget_git_ref\s*\([^()]*\)|\bHOLDER)\s*\.\s*(delete|edit)\s*\(/g,
    holders:
      /\b(\w+)\s*(?:=(?!=)|\bin\b)[^\n;=]{0,200}\.\s*get_git_(?:ref|refs|matching_refs)\s*\(\s*(?:["']([^"']+)["'])?/g,
    request: ({ args, held }, method) => ({
      method: method === 'delete' ? 'DELETE' : 'PATCH',
      path: refPath(held),
      body: forced(args),
    }),
  },
  {
    ...pyGithub,
    calls: /(?:\bget_repo\s*\([^()]*\)|\bHOLDER)\s*\.\s*(delete|edit)\s*\(/g,
    holders: repositories,
    request: repositoryRequest,
  },
  {
    ...pyGithub,
    calls: /(?:\bget_repo\s*\([^()]*\)|\bHOLDER)\s*\.\s*(merge)\s*\(/g,
    holders: repositories,
    request: mergeRequest(0),
  },
  { ...pyGithub, calls: /\.\s*(create_file|update_file|delete_file)\s*\(/g, request: contentsRequest },
  {
    ...pyGithub,
    calls: /\.\s*(?:remove|edit)_protection\s*\(()/g,
    request: () => ({ method: 'PUT', path: '/branches/{…}/protection' }),
  },
  {
    ...gitlab,
    calls: /\b(?:branches\s*\.\s*delete|Branches\s*\.\s*remove)\s*\(()/g,
    request: ({ args }) => ({ method: 'DELETE', path: `/repository/branches/${wholeText(args.at(-1)) ?? open}` }),
  },
  {
    ...gitlab,
    calls:
      /\b(?:protectedbranches\s*\.\s*(?:delete|create)|ProtectedBranches\s*\.\s*\w*(?:unprotect|protect)\w*)\s*\(()/g,
    request: () => ({ method: 'DELETE', path: '/protected_branches/x' }),
  },
  {
    ...gitlab,
    calls: /\bcommits\s*\.\s*(create)\s*\(|\bCommits\s*\.\s*create\s*\(/g,
    request: () => ({ method: 'POST', path: '/repository/commits' }),
  },
  {
    ...gitlab,
    calls:
      /\bprojects\s*\.\s*(delete)\s*\(|\bprojects\s*\.\s*get\s*\([^()]*\)\s*\.\s*delete\s*\(|\bHOLDER\s*\.\s*delete\s*\(/g,
    holders: /\b(\w+)\s*=(?!=)[^\n;=]{0,200}\bprojects\s*\.\s*get\s*\(/g,
    request: () => ({ method: 'DELETE', path: '' }),
  },
];

/** Libraries of hosting services, a row for each kind of call. */
export const hostingLibraries: readonly LibraryCall[] = [...ofOctokit, ...ofPython];
