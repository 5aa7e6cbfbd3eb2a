import { listedWords } from '../../listed-words.ts';

/** `pnpm help --all`, `yarn --help` of both of its lines. Not `yarn node`, which starts node. */
const own: ReadonlySet<string> = new Set(
  listedWords(`access add adduser approve-builds audit autoclean bin bugs c cache cat-file cat-index check ci clean-install
    completion config constraints create dedupe deploy deprecate dist-tag dlx docs doctor edit env exec explain fetch
    find-hash generate-lock-entry get global help i ic ignored-builds import info init install install-test it la licenses
    link list ll ln login logout ls m multi npm outdated owner pack patch patch-commit patch-remove ping pkg plugin policies
    prefix profile prune publish rb rebuild recursive remove repo restart rm root rt run run-script runtime s se search
    self-update server set set-script setup show stage star stars start stop store t tag team test token tst un uninstall
    unlink unplug unpublish unstar up update upgrade upgrade-interactive v version versions view why whoami workspace
    workspaces`),
);

/** Is it a command of a package manager itself, whatever scripts and programs there are? */
export function isOwnCommand(name: string): boolean {
  return own.has(name);
}
