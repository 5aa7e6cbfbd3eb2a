/**
 * Loaded before the built command (`--require`): ends the process by SIGKILL at the change of a file that KILL_AT counts
 * to, KILL_WHERE telling whether before it, after it or, for a write, in its middle. Only changes below KILL_BELOW count.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const [at, where, below] = [Number(process.env.KILL_AT), process.env.KILL_WHERE, process.env.KILL_BELOW];
const places = new Map();
let count = 0;

const die = () => process.kill(process.pid, 'SIGKILL');

function counted(name, pathOf, inPart) {
  const original = fs[name];
  fs[name] = (...args) => {
    const isHere = String(pathOf(args)).startsWith(below);
    count += isHere ? 1 : 0;
    const isNow = isHere && count === at;
    if (isNow && where === 'before') {
      die();
    }
    if (isNow && where === 'within') {
      inPart?.(original, args);
      die();
    }
    const result = original(...args);
    if (isNow) {
      die();
    }
    return result;
  };
}

const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest);
  places.set(descriptor, path);
  return descriptor;
};
const half = (content) => content.subarray(0, Math.floor(content.length / 2));
counted(
  'writeSync',
  ([descriptor]) => places.get(descriptor),
  (original, [descriptor, content]) => original(descriptor, half(Buffer.from(content))),
);
counted(
  'writeFileSync',
  ([path]) => path,
  (original, [path, content]) => original(path, half(Buffer.from(content))),
);
for (const name of ['renameSync', 'mkdirSync', 'linkSync', 'unlinkSync', 'rmSync', 'truncateSync']) {
  counted(name, ([path]) => path);
}
counted(
  'cpSync',
  ([, target]) => target,
  (_, [source, target]) => {
    fs.mkdirSync(target, { recursive: true });
    const [first] = fs.readdirSync(source);
    fs.copyFileSync(`${source}/${first}`, `${target}/${first}`);
  },
);
syncBuiltinESMExports();
process.on('exit', () => {
  fs.appendFileSync(process.env.KILL_COUNT, `${count}\n`);
});
