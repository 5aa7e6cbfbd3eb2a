/** Milliseconds. Loading commitlint takes one second on a slow machine. */
const patience = 20_000;

/**
 * Does work that runs somebody's program in this very thread, where a loop could be stopped by nobody: a second thread
 * ends the process then, which refuses like any failure.
 *
 * @param file for the message: whose program it is
 */
export async function underWatch<Result>(file: string, work: () => Promise<Result>, limit = patience): Promise<Result> {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const last =
    `oxide-guard: ${file} was not done within ${limit / 1000} s (an endless loop?), so the hook refuses.\n` +
    '  → mend the file, or move it away for this once\n';
  const watchdog = new Worker(program, { eval: true, execArgv: [], workerData: { last, limit, pid: process.pid } });
  watchdog.unref();
  try {
    return await work();
  } finally {
    await watchdog.terminate();
  }
}

/** A signal, because a thread can't give the process an exit code. */
const program = `
const { workerData: { last, limit, pid } } = require('node:worker_threads');
setTimeout(() => {
  require('node:fs').writeSync(2, last);
  process.kill(pid, 'SIGKILL');
}, limit);
`;
