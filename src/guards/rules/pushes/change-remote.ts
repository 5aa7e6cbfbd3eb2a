import { readPushRemoteName } from '../../../git/push/push-defaults.ts';
import type { Head } from '../../../git/refs/head.ts';
import { namesSameRepository } from '../../../git/same-repository.ts';
import type { GitConfiguration } from '../../../git/settings/configuration.ts';
import { readRemote } from '../../../git/settings/remote.ts';
import { quoteWord } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { type Finding, findings } from '../../finding.ts';
import { normalizedKey } from '../../git-command/invocation.ts';
import { pasted, shown, textOf } from '../../git-command/words.ts';
import type { ConfigureIntent, RemoteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';

/** A remote that exists and will lead somewhere else, or nowhere. Adding a new one changes no push. */
export async function judgeRemoteChange(
  intent: RemoteIntent,
  { repository, policy, overlay }: Scene,
): Promise<readonly Finding[]> {
  const name = shown(intent.name);
  if (intent.action === 'add') {
    return findings(
      'change-remote',
      policy,
      intent.mirror
        ? {
            message: `Pushes to ${name} would mirror: every branch there that is absent here is deleted.`,
            suggestion: `git remote add ${pasted(intent.name)} ${pasted(intent.value ?? intent.name)}`,
          }
        : null,
    );
  }
  const config = await repository.config();
  const isKnown = textOf(intent.name) !== null;
  if (isKnown && (!config.subsections('remote').includes(name) || overlay.shared.remotes.has(name))) {
    return [];
  }
  const url = config.get(`remote.${name}.url`);
  const value = textOf(intent.value);
  if (url !== null && value !== null && intent.action !== 'rename' && namesSameRepository(url, value)) {
    return [];
  }
  const effects = {
    'set-url': `pushes to ${name} would go to ${shown(intent.value ?? intent.name)}`,
    'set-push-url': `pushes to ${name} would go to ${shown(intent.value ?? intent.name)}`,
    remove: `${name} would be forgotten with its tracking branches and settings`,
    rename: `${name} would be called ${shown(intent.value ?? intent.name)}`,
  } as const;
  return findings('change-remote', policy, {
    message: `${url === null ? name : `${name} is ${url}`}: ${effects[intent.action]}.`,
    evidence: { refs: [name] },
    suggestion:
      intent.action.startsWith('set') && intent.value !== null && mayLeadSomewhere(intent.value)
        ? `git remote add ${quoteWord(`${name}-new`)} ${pasted(intent.value)}`
        : 'git remote -v',
  });
}

/** `DISABLED` is no place that another remote could have. */
function mayLeadSomewhere(url: Word): boolean {
  return /[/:]/.test(textOf(url) ?? '/');
}

/** `url.<base>.insteadOf`: no remote's URL begins with it, or each still leads to the same repository. */
function keepsUrls(intent: ConfigureIntent, key: string, config: GitConfiguration): boolean {
  const base = /^url\.(.+)\.(?:insteadof|pushinsteadof)$/.exec(key)?.[1];
  const beginning = textOf(intent.value);
  if (base === undefined || beginning === null) {
    return false;
  }
  const urls = config
    .subsections('remote')
    .flatMap((remote) => ['url', 'pushurl'].flatMap((name) => config.getAll(`remote.${remote}.${name}`)));
  return urls.every(
    (url) => !url.startsWith(beginning) || namesSameRepository(url, base + url.slice(beginning.length)),
  );
}

/**
 * `branch.<name>.remote`: another remote may be a branch's upstream, as by `git branch --set-upstream-to`. Pushes go there
 * where nothing else decides.
 */
function keepsUpstream({ value }: ConfigureIntent, key: string, config: GitConfiguration): boolean {
  const branch = /^branch\.(.+)\.remote$/.exec(key)?.[1];
  const remote = textOf(value);
  const isConfigured = value === null || remote === '.' || config.subsections('remote').includes(remote ?? '');
  const decides = [`branch.${branch}.pushremote`, 'remote.pushdefault'].every((name) => config.get(name) === null);
  return branch !== undefined && (isConfigured || !decides);
}

/** `remote.pushDefault`, `branch.<name>.pushRemote`: every push that they are about goes there already. */
function keepsPushRemote({ value, scope }: ConfigureIntent, key: string, config: GitConfiguration): boolean {
  const remote = textOf(value);
  const branch = /^branch\.(.+)\.(?:pushremote|remote)$/.exec(key)?.[1];
  if ((key !== 'remote.pushdefault' && branch === undefined) || scope === 'global' || scope === 'system') {
    return false;
  }
  const branches = config
    .subsections('branch')
    .filter((name) => config.get(`branch.${name}.pushremote`) === null)
    .map(onBranch);
  const heads = branch === undefined ? [{ kind: 'detached', oid: '' } as const, ...branches] : [onBranch(branch)];
  return heads.every((head) => readPushRemoteName(config, head) === remote);
}

const onBranch = (branch: string): Head => ({ kind: 'branch', branch, ref: `refs/heads/${branch}`, oid: null });

/** `remote.<name>.pushurl`: pushes go to that repository already, by the remote's URL, which nothing rewrites. */
function keepsPushUrl({ value }: ConfigureIntent, key: string, config: GitConfiguration): boolean {
  const remote = /^remote\.(.+)\.pushurl$/.exec(key)?.[1];
  const given = textOf(value);
  const urls = remote === undefined ? [] : readRemote(config, remote).pushUrls;
  const [only, ...others] = urls;
  const isOne = others.length === 0 && config.subsections('url').length === 0;
  return isOne && only !== undefined && given !== null && namesSameRepository(only, given);
}

/** Settings that say where a push goes or what it does there: git-config(1) "remote.*", "url.*". */
const pushDestination =
  /^(?:remote\..+\.(?:url|pushurl|push|mirror|receivepack)|url\..+\.(?:insteadof|pushinsteadof)|remote\.pushdefault|branch\..+\.(?:pushremote|remote))$/;

const keeps = [keepsUrls, keepsUpstream, keepsPushRemote, keepsPushUrl];

export async function judgeDestinationSetting(
  intent: ConfigureIntent,
  { repository, policy, overlay }: Scene,
): Promise<readonly Finding[]> {
  // What stands between, in `url.https://$TOKEN@host/.insteadOf`, is taken for credentials.
  const given = intent.key.kind === 'known' ? intent.key.value : `${intent.key.prefix}x${intent.key.suffix}`;
  const key = normalizedKey(given);
  if (!pushDestination.test(key)) {
    return [];
  }
  const config = await repository.config();
  const present = config.get(key);
  const remote = /^remote\.(.+)\.[^.]+$/.exec(key)?.[1];
  const isNewRemote =
    remote !== undefined && (!config.subsections('remote').includes(remote) || overlay.shared.remotes.has(remote));
  const stopsMirroring = key.endsWith('.mirror') && /^(?:false|no|off|0)$/i.test(textOf(intent.value) ?? '');
  const isKept = intent.value?.kind !== 'unknown' && present === textOf(intent.value);
  if (isNewRemote || stopsMirroring || isKept || keeps.some((kept) => kept(intent, key, config))) {
    return [];
  }
  return findings('change-remote', policy, {
    message: `${shown(intent.key)} ${present === null ? 'is not set' : `is ${present}`} and decides where pushes go.`,
    evidence: { refs: remote === undefined ? [] : [remote] },
    suggestion: `git config --get-all ${pasted(intent.key)}`,
  });
}
