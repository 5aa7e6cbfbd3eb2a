import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Reads `+ GROUP` and `- GROUP` until its input ends, which it does however the agent ends, `kill -9` included; then it
 * ends the groups that are left, and whatever else carries the mark.
 */
const script = `
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) case "$groups" in *" $group "*) groups="\${groups%% "$group" *} \${groups#* "$group" }" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL -- "-$group"; done 2>/dev/null
for file in $(grep -lsaz "^$1" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${file#/proc/}
  kill -KILL "\${pid%/environ}" 2>/dev/null
done
`;

let input: Socket | null = null;

/**
 * Makes sure that a process group ends with this program, whatever ends it.
 *
 * @param mark what the environment of every process of this program begins with: `NAME=value`
 * @returns takes the group off the list, once it has ended
 */
export function watchGroup(group: number, mark: string): () => void {
  input ??= startWatchdog(mark);
  const socket = input;
  socket.write(`+ ${group}\n`);
  return () => socket.write(`- ${group}\n`);
}

function startWatchdog(mark: string): Socket {
  const watchdog = spawn('sh', ['-c', script, 'sh', mark], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    // In a session of its own: what is sent to the agent's process group must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  const socket = watchdog.stdin as Socket;
  socket.unref();
  const forget = () => {
    input = null;
  };
  watchdog.once('error', forget).once('exit', forget);
  socket.on('error', forget);
  return socket;
}
