import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../error-message.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';

/** What the file system and others have thrown, with what to do about it; the file system names the path. */
export function foreignError(error: unknown): OxideError {
  const message = messageOf(error);
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new OxideError('no-space', `There is no space left to write to (${message}).`, { remedy: 'df -h .' });
  }
  if (syscall === 'uv_cwd') {
    return new OxideError('directory-gone', 'The directory this was started in is gone.', {
      remedy: 'cd ~   # or to any directory that is there',
      exitCode: ExitCode.usage,
    });
  }
  if (path !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) {
    return notPermitted(error as NodeJS.ErrnoException, path);
  }
  const remedy =
    path === undefined
      ? 'Run it again with OXIDE_GUARD_DEBUG=1 to see where it failed.'
      : `ls -ld ${quoteWord(path)}   # what stands in the way?`;
  return new OxideError('internal', message, { remedy });
}

/** The directory to look at is the one that is there: what should have been made in it is not. */
function notPermitted({ code, syscall = '', message }: NodeJS.ErrnoException, path: string): OxideError {
  let place = /^(?:unlink|rename|rmdir|link|symlink)$/.test(syscall) ? dirname(path) : path;
  while (!existsSync(place) && place !== dirname(place)) {
    place = dirname(place);
  }
  const why = code === 'EROFS' ? 'is on a file system that can only be read' : 'does not let this user do that';
  return new OxideError('not-permitted', `${place} ${why} (${message}).`, {
    remedy: `ls -ld ${quoteWord(place)}   # whose is it?`,
  });
}
