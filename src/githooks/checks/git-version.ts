import { type Check, failure, fine } from '../doctor.ts';

const oldest = [2, 25] as const;

/** Is git new enough for what the guard asks of it? */
export const gitVersion: Check = {
  name: 'git-version',
  async examine({ git }) {
    const text = (await git.text(['version'])).trim();
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
    const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
    return [
      isOld
        ? failure(
            'git-version',
            `${text} is older than ${oldest.join('.')}, the oldest the guard works with`,
            'Install a newer git.',
          )
        : fine('git-version', text),
    ];
  },
};
