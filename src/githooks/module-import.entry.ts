/**
 * Imports a module for the hooks' programs, from a bundle that node itself has loaded: code that V8 kept compiled
 * (`runCached`) can't import anything.
 *
 * @param url of the module
 */
export function importModule(url: string): Promise<unknown> {
  return import(url);
}
