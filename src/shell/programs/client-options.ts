import { beginningOf, type Word } from '../simple-command.ts';

/** Options that take a value. */
interface ValuedOptions {
  readonly short: string;
  readonly long: readonly string[];
}

function valued(short: string, ...names: readonly string[]): ValuedOptions {
  return { short, long: names.flatMap((text) => text.split(' ')).map((name) => `--${name}`) };
}

const ofCompose = valued(
  'fpcH',
  'file project-name profile env-file project-directory ansi progress parallel context host',
);
const ofKubernetes = valued(
  'nsv',
  'namespace context cluster user kubeconfig server token as as-group as-uid as-user-extra cache-dir request-timeout',
  'certificate-authority client-certificate client-key tls-server-name username password v vmodule',
  'profile profile-output log-flush-frequency loglevel kuberc',
);

/** Options of a client itself, which stand before its subcommand: docker(1), podman(1), kubectl(1). */
const ownOptions: Readonly<Record<string, ValuedOptions>> = {
  docker: valued('clH', 'config context host log-level tlscacert tlscert tlskey'),
  podman: valued(
    'c',
    'cdi-spec-dir cgroup-manager config conmon connection events-backend hooks-dir identity imagestore log-level module',
    'namespace network-cmd-path network-config-dir out root runroot runtime runtime-flag ssh storage-driver storage-opt',
    'tls-ca tls-cert tls-key tmpdir url volumepath',
  ),
  nerdctl: valued(
    'anH',
    'address cgroup-manager cni-netconfpath cni-path data-root global-dns host host-gateway-ip hosts-dir kube-hide-dupe',
    'namespace snapshotter storage-driver cdi-spec-dirs bridge-ip userns-remap',
  ),
  kubectl: ofKubernetes,
  oc: ofKubernetes,
};

function takesNext({ short, long }: ValuedOptions, text: string): boolean {
  return long.includes(text) || (/^-[^-]$/.test(text) && short.includes(text.slice(1)));
}

/**
 * The words of a client without the options of its own that stand before the subcommand: `docker --context x run`,
 * `docker compose -f FILE exec`, `kubectl -n x exec`.
 */
export function withoutClientOptions(program: string, words: readonly Word[]): readonly Word[] {
  const kept: Word[] = [];
  let options = (Object.hasOwn(ownOptions, program) ? ownOptions[program] : null) ?? ofCompose;
  for (let index = 0; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    if (text.startsWith('-')) {
      index += takesNext(options, text) ? 1 : 0;
      continue;
    }
    kept.push(words[index] as Word);
    const isNested = kept.length === 1 && (text === 'compose' || text === 'container');
    if (!isNested) {
      return [...kept, ...words.slice(index + 1)];
    }
    options = ofCompose;
  }
  return kept;
}
