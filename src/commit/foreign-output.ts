import { AsyncLocalStorage } from 'node:async_hooks';

const foreign = new AsyncLocalStorage<true>();
let isDivided = false;

/**
 * Runs what a repository's configuration brings. What it prints, now or later, goes to standard error: on standard
 * output a program may be waiting for one document. What the guard prints meanwhile is not touched.
 */
export function printingAside<T>(work: () => T): T {
  if (!isDivided) {
    isDivided = true;
    divideOutput(process.stdout, process.stderr);
  }
  return foreign.run(true, work);
}

function divideOutput(output: NodeJS.WriteStream, aside: NodeJS.WriteStream): void {
  output.write = new Proxy(output.write, {
    apply: (write, stream, given) =>
      foreign.getStore() === true ? Reflect.apply(aside.write, aside, given) : Reflect.apply(write, stream, given),
  });
}
