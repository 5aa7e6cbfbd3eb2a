import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Milliseconds, less than agents give a hook. What takes longer is in an endless loop. */
const defaultLimit = 6_000;

/**
 * The default export of a JavaScript or TypeScript module, which must be plain data. The module runs in a thread of its
 * own: it can't hang the program, nor end it, nor print where an agent waits for an answer.
 *
 * @param path absolute
 * @param limit milliseconds
 * @throws Error that says what the module did instead, and where; its name is that of the error behind it
 */
export async function evaluateModule(path: string, limit = defaultLimit): Promise<unknown> {
  const url = pathToFileURL(path).href;
  const worker = new Worker(program, {
    eval: true,
    execArgv: [],
    stdout: true,
    workerData: { url, path, jiti: path.endsWith('.ts') ? jitiUrl() : null },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it was not done within ${limit / 1000} s (an endless loop?)`)), limit);
      worker.on('message', ({ failure, name, value }: Answer) =>
        failure === undefined ? resolve(value) : reject(Object.assign(new Error(failure), { name })),
      );
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('it ended before it had exported a configuration')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

interface Answer {
  readonly value?: unknown;
  readonly failure?: string;
  /** Of the error behind the failure. */
  readonly name?: string;
}

/** What the thread runs: source text, because a path would have to hold for the bundle and for the tests. */
const program = `
const { parentPort, workerData: { url, path, jiti } } = require('node:worker_threads');
async function evaluate() {
  if (jiti === null) {
    return (await import(url)).default;
  }
  const { createJiti } = await import(jiti);
  return createJiti(url, { fsCache: false }).import(path, { default: true });
}
evaluate().then((value) => parentPort.postMessage({ value })).catch((error) => {
  const message = String(error?.message ?? error);
  const name = String(error?.name ?? 'Error');
  const frame = String(error?.stack ?? '').split('\\n').find((line) => line.includes(path + ':') || line.includes(url + ':'));
  const [, line] = /:(\\d+)(?::\\d+)?\\)?$/.exec(frame ?? '') ?? [];
  const said = name === 'DataCloneError' ? 'it must be plain data: ' + message : message;
  parentPort.postMessage({ name, failure: line === undefined ? said : said + ' (line ' + line + ')' });
});
`;

/** Bundled beside this module; the package itself where this runs from source. */
function jitiUrl(): string {
  const bundled = new URL('./jiti.mjs', import.meta.url);
  return existsSync(bundled) ? bundled.href : pathToFileURL(createRequire(import.meta.url).resolve('jiti')).href;
}
