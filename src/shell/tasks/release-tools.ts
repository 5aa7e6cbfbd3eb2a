import { quoteWord } from '../../quote.ts';
import type { Call, ProgramReader, Shell } from '../call.ts';
import { runAsScript } from '../programs/program-script.ts';
import type { Outcome } from '../shell-state.ts';
import { beginningOf, programName } from '../simple-command.ts';
import { nearestFile } from './nearest-file.ts';

/** What a tool's call pushes, or commits without hooks, as git's command line; null: nothing of that. */
type PushOf = (words: readonly string[]) => string | null;

const current = 'git push --follow-tags origin HEAD';
/** `--dry-run=false` is the option switched off. */
const has = (words: readonly string[], ...options: readonly string[]) =>
  words.some((word) =>
    options.some((option) => word === option || (word.startsWith(`${option}=`) && !/=(?:false|no|0)$/.test(word))),
  );

function optionValue(words: readonly string[], ...options: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    const name = options.find((option) => word === option || word.startsWith(`${option}=`));
    if (name !== undefined) {
      return word === name ? (words[at + 1] ?? null) : word.slice(name.length + 1);
    }
  }
  return null;
}

const unchecked = 'git commit --no-verify -m "chore: release"';

/** Tools that commit, and what tells them to skip hooks. */
const uncheckedWith =
  (...options: readonly string[]): PushOf =>
  (words) => {
    if (has(words, '--dry-run', '--help', '--skip.commit')) {
      return null;
    }
    return has(words, ...options) ? unchecked : checkedWith(optionValue(words, '--releaseCommitMessageFormat'));
  };

/** A commit that hooks see, unless the line has switched them off. */
const checked = 'git commit';

/** As the tools write a version in the pattern of a message: `%s`, `${version}`, `{{currentTag}}`, `{new_version}`. */
export const versionIn = /%[sv]|\$\{\w+\}|\{\{\s*\w+\s*\}\}|\{(?:new|current)_version\}/g;

/** What is written in its place: any version is as good as another one. */
export const exampleVersion = '1.0.0';

/** The same with a message that the call gives. */
function checkedWith(message: string | null): string {
  return message === null ? checked : `${checked} -m ${quoteWord(message.replace(versionIn, exampleVersion))}`;
}

/** `-m TEXT`, also behind other letters (`-am TEXT`), and `--message`: a commit with it; null without one. */
function messageCommit(words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^-[a-zA-Z]*m/.test(word));
  const [, attached = ''] = /^-[a-zA-Z]*?m(.*)$/s.exec(words[at] ?? '') ?? [];
  const short = at < 0 ? null : attached === '' ? (words[at + 1] ?? null) : attached;
  const message = short ?? optionValue(words, '--message');
  return message === null ? null : checkedWith(message);
}

/** `--commit-hooks false`: npm-config(1) takes a value that follows, too. */
function isOff(words: readonly string[], option: string): boolean {
  const at = words.indexOf(option);
  return at >= 0 && words[at + 1] === 'false';
}

/** npm-version(1): with a new version it commits; `yarn version` is told the version by options. */
function packageVersion(words: readonly string[]): string | null {
  const at = words.indexOf('version');
  const rest = words.slice(at + 1);
  const isUnchecked = has(words, '--no-commit-hooks', '--commit-hooks=false') || isOff(words, '--commit-hooks');
  if (has(words, '--no-git-tag-version', '--git-tag-version=false', '--help') || (at < 0 && words[0] !== 'publish')) {
    return null;
  }
  if (isUnchecked) {
    return unchecked;
  }
  if (at < 0) {
    return null;
  }
  const isGiven = rest.some(
    (word, index) =>
      /^(?:--)?(?:new-version|pre)?(?:major|minor|patch|release|from-git)$|^v?\d+\./.test(word) ||
      // Nothing is known of it: `npm version "$NEW"`.
      (word === '' && !/^-/.test(rest[index - 1] ?? '')),
  );
  return isGiven ? checkedWith(optionValue(rest, '-m', '--message')) : null;
}

/** What a package manager's own commit of a new version is; null where it makes none. */
export function versionCommit(call: Call, shell: Shell): string | null {
  const words = call.argv.slice(1).map(beginningOf);
  return packageVersion(words.includes('version') ? [...words, ...packageSettings(call, shell)] : words);
}

/** Options for git that a tool hands on: `--git.commitArgs=--no-verify`, `--commit-args "-n"`. */
function skipsBy(words: readonly string[], option: string): boolean {
  return words.some((word, at) => {
    const value =
      word === option ? (words[at + 1] ?? '') : word.startsWith(`${option}=`) ? word.slice(option.length) : '';
    return /(?:^|[\s="'])(?:--no-verify|-n)(?:$|[\s"'])/.test(value);
  });
}

/** Tools that hand git's own option on. */
const unverified: PushOf = (words) => (has(words, '--no-verify') ? unchecked : null);

/** bump-my-version and its forerunners. */
const bumped: PushOf = (words) =>
  skipsBy(words, '--commit-args')
    ? unchecked
    : has(words, '--no-commit', '--dry-run', '-n')
      ? null
      : messageCommit(words);

/** `commit -n` behind a `--` of its own. */
const passesNoVerify: PushOf = (words) => {
  const passed = words.includes('--') ? words.slice(words.indexOf('--')) : words.slice(-1);
  return has(words, '--no-verify') || has(passed, '-n') ? unchecked : null;
};

/** What publishes a directory on a branch of its own. */
function published(words: readonly string[], isForced: boolean): string {
  const branch = optionValue(words, '-b', '--branch', '--remote-branch') ?? 'gh-pages';
  const remote = optionValue(words, '-r', '--remote', '--remote-name') ?? 'origin';
  return `git push${isForced ? ' --force' : ''} ${quoteWord(remote)} ${quoteWord(`HEAD:refs/heads/${branch}`)}`;
}

/** What Graphite does by itself; it hands git what is no command of its own. */
const ownOfGraphite = new Set(
  `abort absorb add-all aliases ancestor auth b bc bottom branch c changelog checkout children co completion config continue
  create d daemon dash demo docs down feedback fish fold get guide info init interactive l log ls merge move parent pop pr
  rename reorder repo restack revert sp split squash ss stack state sync top track trunk u undo unfreeze unlink untrack up
  upgrade upstack user web`.split(/\s+/),
);

/** Graphite's manual: it pushes with leases, unless it is told not to. */
function graphite(words: readonly string[]): string | null {
  const [verb = '', ...rest] = words;
  const name = rest.find((word) => !word.startsWith('-'));
  const isForced = has(rest, '-f', '--force');
  if (/^(?:submit|s|ss)$/.test(verb) || (/^(?:stack|repo)$/.test(verb) && /^(?:submit|s)$/.test(name ?? ''))) {
    const unverified = has(rest, '--no-verify') ? ' --no-verify' : '';
    return has(rest, '--dry-run')
      ? null
      : `git push ${isForced ? '--force' : '--force-with-lease'}${unverified} origin HEAD`;
  }
  if (has(rest, '--no-verify') && /^(?:create|c|modify|m|squash|sq|split|commit|branch|bc|continue)$/.test(verb)) {
    return unchecked;
  }
  const commits = /^(?:create|c|modify|m|squash|sq|commit)$/.test(verb) ? messageCommit(rest) : null;
  if (commits !== null) {
    return commits;
  }
  if (verb === 'delete' || verb === 'dl') {
    return isForced && name !== undefined ? `git branch -D ${quoteWord(name)}` : null;
  }
  const isOwn = verb === '' || verb.startsWith('-') || verb === 'modify' || verb === 'm' || ownOfGraphite.has(verb);
  return isOwn ? null : ['git', ...words.map(quoteWord)].join(' ');
}

/** git-spice's manual: it pushes with leases, unless it is told not to. Ghostscript, of the same name, is given options first. */
function spice(words: readonly string[]): string | null {
  const [verb = '', sub = ''] = words;
  const isSubmitted =
    /^(?:bs|ss|uss|dss)$/.test(verb) ||
    (/^(?:branch|b|stack|s|upstack|us|downstack|ds)$/.test(verb) && /^(?:submit|s)$/.test(sub));
  if (!isSubmitted) {
    const commits = /^(?:commit|c|cc|ca|branch|b|bc)$/.test(verb) ? messageCommit(words) : null;
    return unverified(words) ?? commits;
  }
  const lease = has(words, '-f', '--force') ? '--force' : '--force-with-lease';
  return has(words, '-n', '--dry-run')
    ? null
    : `git push ${lease}${has(words, '--no-verify') ? ' --no-verify' : ''} origin HEAD`;
}

/** maven-release-plugin, "release:prepare": it commits, tags and pushes. */
const mavenRelease: PushOf = (words) =>
  words.some((word) => /(?:^|:)release(?:-plugin(?::[\d.]+)?)?:prepare$/.test(word)) &&
  !has(words, '-DdryRun', '-DpushChanges=false')
    ? current
    : null;

/** The one for Node, and the one for Python, whose `version` pushes. */
const semanticRelease: PushOf = (words) =>
  (has(words, '--no-ci') && !has(words, '-d', '--dry-run')) ||
  (has(words, 'version') && !has(words, '--noop', '--print', '--print-tag', '--no-push', '--no-commit', '--help'))
    ? current
    : null;

/** cargo-release: dry unless it is told to execute; some of its steps are commands. */
const cargoRelease: PushOf = (words) =>
  words[0] === 'release' &&
  has(words, '-x', '--execute') &&
  !has(words, '--no-push') &&
  !has(words.slice(1), 'version', 'replace', 'hook', 'commit', 'publish', 'tag', 'owner', 'changes', 'config')
    ? current
    : null;

/** cargo-workspaces: without that option it asks. */
const cargoWorkspaces: PushOf = (words) =>
  has(words.slice(1), 'version', 'publish') &&
  has(words, '-y', '--yes') &&
  !has(words, '--no-git-push', '--no-git-commit', '--publish-as-is', '--from-git', '--dry-run', '-h', '--help')
    ? current
    : null;

/** rushjs.io, "rush publish", "rush version": what it commits is merged into the branch that it is told, and pushed. */
const mergedInto: PushOf = (words) => {
  const branch = optionValue(words, '-b', '--target-branch');
  const isDone = words[0] === 'version' || (words[0] === 'publish' && has(words, '-a', '--apply'));
  return isDone && branch !== null ? `git push origin ${quoteWord(`HEAD:refs/heads/${branch}`)}` : null;
};

/** Tools that push by themselves, a row each: what they do by their manuals unless an option says otherwise. */
const rows: Readonly<Record<string, PushOf>> = {
  lerna: (words) => {
    if (
      !has(words, 'version', 'publish') ||
      has(words, '--no-git-tag-version', '--canary', 'from-package', 'from-git')
    ) {
      return null;
    }
    const isUnchecked = has(words, '--no-commit-hooks', '--commit-hooks=false');
    const commits = isUnchecked ? unchecked : checkedWith(optionValue(words, '-m', '--message'));
    return has(words, '--no-push') ? commits : `${commits} && ${current}`;
  },
  np: (words) => (has(words, '--preview', '--help', '--version') ? null : current),
  'release-it': (words) => {
    if (has(words, '-d', '--dry-run', '--no-git', '--help', '--version', '-v', '-h')) {
      return null;
    }
    const message = optionValue(words, '--git.commitMessage');
    const made = skipsBy(words, '--git.commitArgs') ? unchecked : message === null ? null : checkedWith(message);
    const commits = has(words, '--no-git.commit', '--git.commit=false') ? null : made;
    const push = skipsBy(words, '--git.pushArgs') ? `${current} --no-verify` : current;
    const parts = [commits, has(words, '--no-git.push', '--git.push=false') ? null : push].filter(Boolean);
    return parts.length === 0 ? null : parts.join(' && ');
  },
  'semantic-release': semanticRelease,
  'python-semantic-release': semanticRelease,
  bumpp: (words) => {
    if (has(words, '--no-commit', '-h', '--help')) {
      return null;
    }
    const message = optionValue(words, '-c', '--commit');
    const commits = has(words, '--no-verify') ? unchecked : checkedWith(message?.startsWith('-') ? null : message);
    return has(words, '--no-push', '--push=false') ? commits : `${commits} && ${current}`;
  },
  changelogen: (words) => (has(words, '--push') ? current : null),
  'standard-version': uncheckedWith('-n', '--no-verify', '--noVerify'),
  'commit-and-tag-version': uncheckedWith('-n', '--no-verify', '--noVerify'),
  'git-cz': uncheckedWith('-n', '--no-verify'),
  czg: uncheckedWith('-n', '--no-verify'),
  cz: passesNoVerify,
  /** Its own refs are leases. */
  jj: (words) => {
    const [first, second, ...rest] = words.filter((word) => word !== '--quiet');
    const branch = optionValue(rest, '-b', '--bookmark', '--branch', '--named');
    if (first === 'commit' || first === 'ci') {
      return messageCommit(words);
    }
    if (first !== 'git' || second !== 'push' || has(rest, '--dry-run')) {
      return null;
    }
    const remote = quoteWord(optionValue(rest, '--remote') ?? 'origin');
    if (has(rest, '--deleted')) {
      return `git push --prune ${remote} 'refs/heads/*:refs/heads/*'`;
    }
    return has(rest, '--all', '--tracked')
      ? `git push --force-with-lease --all ${remote}`
      : branch === null
        ? null
        : `git push --force-with-lease ${remote} ${quoteWord(branch.replace(/^\w+:/, '').split('=')[0] ?? branch)}`;
  },
  sl: (words) => {
    const to = optionValue(words, '--to');
    switch (words[0]) {
      case 'push':
        return to === null
          ? null
          : `git push${has(words, '-f', '--force') ? ' --force' : ''} origin ${quoteWord(`HEAD:refs/heads/${to.replace(/^remote\//, '')}`)}`;
      case 'commit':
      case 'ci':
        return messageCommit(words);
      // Without that option the files are kept beside, as `.orig`.
      case 'revert':
        return has(words, '-C', '--no-backup') ? 'git checkout HEAD -- .' : null;
      case 'goto':
      case 'go':
        return has(words, '-C', '--clean') ? 'git reset --hard' : null;
      case 'clean':
      case 'purge':
        return 'git clean -fd';
      default:
        return null;
    }
  },
  gt: graphite,
  glab: (words) => (words[0] === 'stack' && /^(?:save|amend)$/.test(words[1] ?? '') ? messageCommit(words) : null),
  gs: spice,
  'git-spice': spice,
  /** StGit; tools that write messages. */
  ...Object.fromEntries(
    ['stg', 'oco', 'opencommit', 'aicommits', 'aic', 'gitmoji'].map((name): [string, PushOf] => [name, unverified]),
  ),
  ...Object.fromEntries(
    ['bumpversion', 'bump2version', 'bump-my-version'].map((name): [string, PushOf] => [name, bumped]),
  ),
  cargo: (words) => (/^(?:ws|workspaces)$/.test(words[0] ?? '') ? cargoWorkspaces(words) : cargoRelease(words)),
  /** Without that option it asks. */
  tbump: (words) =>
    has(words, '--non-interactive') && !has(words, '--dry-run', '--only-patch', '--no-push', '-h', '--help')
      ? current
      : null,
  /** nx.dev, "nx release": it pushes where it is told to, or configured to. */
  nx: (words) =>
    words[0] === 'release' && has(words, '--git-push', '--gitPush') && !has(words, '-d', '--dry-run', '--dryRun')
      ? current
      : null,
  rush: mergedInto,
  mvn: mavenRelease,
  mvnw: mavenRelease,
  /** Bundler's gem tasks, where the Rakefile has none of its own. */
  rake: (words) => (has(words, 'release', 'release:source_control_push') ? current : null),
  gem: (words) => (words[0] === 'bump' && has(words, '-p', '--push') ? current : null),
  lein: (words) => (words[0] === 'release' ? current : null),
  sbt: (words) => (words.some((word) => /^release\s.*\bwith-defaults\b/.test(word)) ? current : null),
  auto: (words) => (words[0] === 'shipit' && !has(words, '-d', '--dry-run') ? current : null),
  beachball: (words) => (words[0] === 'publish' && !has(words, '--no-push') ? current : null),
  /** zest.releaser; without that option it asks. */
  fullrelease: (words) => (has(words, '--no-input') ? current : null),
  ghstack: (words) => (words[0] === 'land' ? 'git push origin HEAD:refs/heads/main' : null),
};

/** Tools that publish what they have built on a branch of its own: what is checked out goes nowhere. */
const publishers: Readonly<Record<string, PushOf>> = {
  'gh-pages': (words) => {
    const branch = optionValue(words, '-b', '--branch') ?? 'gh-pages';
    const isForced = has(words, '-f', '--no-history');
    return has(words, '-d', '--dist') && !has(words, '-n', '--no-push')
      ? `git push${isForced ? ' --force' : ''} ${quoteWord(optionValue(words, '-o', '--remote') ?? 'origin')} ${quoteWord(`HEAD:refs/heads/${branch}`)}`
      : null;
  },
  'angular-cli-ghpages': (words) => (has(words, '--dry-run', '--no-push') ? null : published(words, false)),
  mkdocs: (words) => (words[0] === 'gh-deploy' ? published(words, has(words, '--force', '--no-history')) : null),
  mike: (words) => (has(words, '-p', '--push') ? published(words, false) : null),
  'ghp-import': (words) => {
    const bundled = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('');
    const isForced = bundled.includes('f') || has(words, '--force', '--no-history');
    return bundled.includes('p') || has(words, '--push') ? published(words, isForced) : null;
  },
  docusaurus: (words) => (words[0] === 'deploy' ? published([], true) : null),
  hexo: (words) => (has(words.slice(0, 1), 'deploy', 'd') || has(words, '--deploy') ? published([], true) : null),
  quarto: (words) => (words[0] === 'publish' && words[1] === 'gh-pages' ? published([], true) : null),
};

/** `npm_config_commit_hooks=false`, `commit-hooks=false` in `.npmrc`: npm-config(1), as options. */
function packageSettings({ state }: Call, shell: Shell): readonly string[] {
  const variables = [...state.variables].flatMap(([name, variable]) => {
    const isSet = /^npm_config_/i.test(name) && variable.kind === 'scalar' && variable.exported;
    const option = name.slice('npm_config_'.length).toLowerCase().replaceAll('_', '-');
    return isSet ? [`--${option}=${beginningOf(variable.value)}`] : [];
  });
  const text = nearestFile(['.npmrc'], state.cwd, shell)?.text ?? '';
  const lines = text.matchAll(/^[ \t]*([a-z-]+)[ \t]*=[ \t]*(["']?)(.*?)\2[ \t]*$/gm);
  return [...variables, ...Array.from(lines, ([, name, , value]) => `--${name}=${value}`)];
}

const runTool = (script: string | null, call: Call, shell: Shell): Outcome | null =>
  script === null ? null : runAsScript(script, programName(call.argv[0]) ?? '', call, shell);

/**
 * The call of a tool that publishes a site, among what was looked through to find a push.
 *
 * @param through see {@link Origin.through}
 * @returns null: no such tool pushes
 */
export function publishingCall(through: readonly string[]): string | null {
  const label = through.at(-1) ?? '';
  return Object.hasOwn(publishers, label.split(' ', 1)[0] ?? '') ? label : null;
}

const publish = (name: string, call: Call, shell: Shell): Outcome | null => {
  const [, ...words] = call.argv;
  const script = publishers[name]?.(words.map(beginningOf)) ?? null;
  const said = words.map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source));
  return script === null ? null : runAsScript(script, [name, ...said].join(' '), call, shell);
};

/** Rows for the table of carriers: tools of a release that push. */
export const releaseTools: readonly (readonly [string, ProgramReader])[] = [
  ...Object.entries(rows).map(([name, pushOf]): [string, ProgramReader] => [
    name,
    (call, shell) => runTool(pushOf(call.argv.slice(1).map(beginningOf)), call, shell),
  ]),
  ...Object.keys(publishers).map((name): [string, ProgramReader] => [
    name,
    (call, shell) => publish(name, call, shell),
  ]),
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name): [string, ProgramReader] => [
    name,
    (call, shell) => runTool(versionCommit(call, shell), call, shell),
  ]),
];
