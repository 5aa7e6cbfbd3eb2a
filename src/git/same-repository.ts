/** What a URL names, whatever the transport and the credentials: `host/path`. Null: a path, or nothing that is known. */
function hostedPath(url: string): string | null {
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(url) ??
    /^(?:[^/@:]+@)?([^/:]+\.[^/:]+):(.+)$/.exec(url) ??
    [];
  const name = path
    ?.replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return host === undefined || name === undefined || name === '' ? null : `${host.toLowerCase()}/${name}`;
}

/**
 * Do two URLs surely name one repository, by other transports or credentials: `git@host:o/shop` and
 * `https://host/o/shop.git`? git-clone(1) "GIT URLS".
 */
export function namesSameRepository(one: string, other: string): boolean {
  const named = hostedPath(one);
  return one === other || (named !== null && named === hostedPath(other));
}
