/** Milliseconds. Loading commitlint takes one second on a slow machine. */
const patience = 20_000;

/** Does work that runs somebody's program in this very thread. */
export interface Watch {
  /** One work at a time. */
  over<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Watches over a program that runs in this very thread, where nobody could stop a loop: a second thread ends the
 * process then, which refuses like any failure.
 *
 * @param file for the message: whose program it is
 * @param advice a line of its own: what else to do then
 * @param limit milliseconds for each work
 */
export function watchOver(file: string, advice: string | null = null, limit = patience): Watch {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const last =
    `oxide-guard: ${file} was not done within ${limit / 1000} s (an endless loop?), so the hook refuses.\n` +
    '  → mend the file, or move it away for this once\n' +
    (advice === null ? '' : `  ${advice}\n`);
  const watchdog = new Worker(program, { eval: true, execArgv: [], workerData: { last, limit, pid: process.pid } });
  watchdog.unref();
  return {
    over: async (work) => {
      watchdog.postMessage('begin');
      try {
        return await work();
      } finally {
        watchdog.postMessage('end');
      }
    },
  };
}

/** A signal, because a thread can't give the process an exit code. */
const program = `
const { parentPort, workerData: { last, limit, pid } } = require('node:worker_threads');
let timer;
parentPort.on('message', (said) => {
  clearTimeout(timer);
  if (said === 'begin') {
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, last);
      process.kill(pid, 'SIGKILL');
    }, limit);
  }
});
`;
