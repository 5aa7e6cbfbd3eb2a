/**
 * Does a path name a device, a stream or what the kernel tells? What is written there is kept nowhere, and what is read
 * there is no file's text. `/dev/shm` is a directory like others.
 */
export function isDevicePath(path: string): boolean {
  return /^\/(?:dev\/(?!shm\/)|proc\/|sys\/)/.test(path);
}
