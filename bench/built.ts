import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

/**
 * Loads a module of the sources as the published package holds it, bundled: what reads TypeScript on the fly puts a call
 * between a module and everything that it imports.
 *
 * @param entry path of the module, from the repository's top
 */
export async function loadBuilt<Module>(entry: string): Promise<Module> {
  const outDir = mkdtempSync(join(tmpdir(), 'oxide-guard-built-'));
  try {
    await build({
      entry: [entry],
      outDir,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      dts: false,
      logLevel: 'error',
      config: false,
      deps: { onlyBundle: false, alwaysBundle: [/./] },
      outputOptions: { entryFileNames: '[name].mjs' },
    });
    return (await import(pathToFileURL(join(outDir, basename(entry).replace(/\.ts$/, '.mjs'))).href)) as Module;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
