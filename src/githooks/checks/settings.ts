import { type Configuration, defaultConfiguration } from '../../config/configuration.ts';
import { findConfiguration } from '../../config/load.ts';
import { validateConfiguration } from '../../config/validate.ts';
import { openRepository } from '../../git/open-repository.ts';
import { ownDirectory } from '../../git/own-directory.ts';
import { type Check, type Examined, fine, warning } from '../doctor.ts';

/** Is the configuration valid? What is wrong with it names the file and the key. */
export const configurationValid: Check = {
  name: 'configuration-valid',
  async examine(examined) {
    const source = findConfiguration(ownDirectory(examined.repository));
    await configurationOf(examined);
    return [
      fine(
        'configuration-valid',
        source === null ? 'no configuration file: the defaults hold' : `${source.path} is valid`,
      ),
    ];
  },
};

/** Which branches are protected, and is the default branch of every remote known? */
export const protectedBranches: Check = {
  name: 'protected-branches',
  async examine(examined) {
    const repository = await openRepository({ cwd: examined.cwd, env: examined.env });
    if (repository === null) {
      return [];
    }
    const configuration = await configurationOf(examined).catch(() => defaultConfiguration);
    const remotes = (await repository.config()).subsections('remote');
    const defaults = await Promise.all(
      remotes.map(async (remote) => ({ remote, branch: await repository.remoteDefaultBranch(remote) })),
    );
    // A remote of which nothing was fetched yet may have no branch at all.
    const tracked = [...(await repository.refs()).keys()];
    const known = defaults.filter(({ branch }) => branch !== null);
    const sentence = [
      configuration.protectedBranches.join(', '),
      ...known.map(({ remote, branch }) => `${remote}'s default branch ${branch}`),
    ].join('; ');
    return [
      fine('protected-branches', `protected: ${sentence}`),
      ...defaults
        .filter(
          ({ remote, branch }) => branch === null && tracked.some((ref) => ref.startsWith(`refs/remotes/${remote}/`)),
        )
        .map(({ remote }) =>
          warning(
            'protected-branches',
            `the default branch of ${remote} is not known here`,
            `git remote set-head ${remote} --auto`,
          ),
        ),
    ];
  },
};

async function configurationOf(examined: Examined): Promise<Configuration> {
  const source = findConfiguration(ownDirectory(examined.repository));
  return source === null ? defaultConfiguration : validateConfiguration(source);
}
