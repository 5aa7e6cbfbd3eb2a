/*
 * What oxide-guard itself runs in a container, for any POSIX shell, with as little else as an image may have.
 */

/** Tells by its value which exec a process of the container belongs to; `keeper` for the first process itself. */
export const execVariable = 'OXIDE_GUARD_EXEC';

/**
 * The first process of a container. It waits, and reaps what has lost its parent. It ends by itself when nothing has
 * run besides it for so many minutes: a server that was killed leaves nothing behind for good. `/proc/loadavg` names
 * the newest process in its last field, so that also what ran in between is seen.
 */
const keeper = `
limit=$1 idle=0 before=0
trap 'exit 0' TERM INT
while [ "$idle" -lt "$limit" ]; do
  sleep 60 &
  wait "$!" || exit 1
  set -- /proc/[0-9]*
  read -r _ _ _ _ newest </proc/loadavg
  if [ "$#" -gt 1 ] || [ "$newest" -ne "$((before + 1))" ]; then idle=0; else idle=$((idle + 1)); fi
  before=$newest
done
`;

/** @param idleStop milliseconds; it waits twice as long, for the server to be the one that stops it */
export function keeperCommand(idleStop: number): readonly string[] {
  return ['/bin/sh', '-c', keeper, 'keeper', String(Math.max(2, Math.ceil((2 * idleStop) / 60_000)))];
}

/**
 * Ends the processes of one exec: those that carry its mark, and those that carry none and are not older than it, as
 * `env -i setsid` leaves them. SIGTERM, SIGKILL after about two seconds, again until none is left. It starts nothing but
 * `sleep`: in a container that is full of processes the shell's own commands still work. In proc(5)'s `stat`, behind the
 * name, the first field is the state and the twentieth the time of start, in hundredths of a second.
 */
const ender = `
mark=$1 age=$2 variable=$3
started() {
  line=
  IFS= read -r line <"$1/stat" 2>/dev/null || return 1
  set -- \${line##*) }
  state=$1
  shift 19
  start=$1
}
started "/proc/$$" || exit 1
oldest=$((start - age))
belongs() {
  case $1 in /proc/1 | "/proc/$$") return 1 ;; esac
  started "$1" && [ "$state" != Z ] && [ "$state" != X ] || return 1
  environment=
  while IFS= read -r line || [ -n "$line" ]; do environment="$environment$line"; line=; done 2>/dev/null <"$1/environ"
  case $environment in
    *"$variable=$mark"*) return 0 ;;
    *"$variable="*) return 1 ;;
  esac
  [ "$start" -ge "$oldest" ]
}
signal=TERM round=0
while [ "$round" -lt 35 ]; do
  found=
  for process in /proc/[0-9]*; do
    if belongs "$process"; then
      found=1
      kill "-$signal" "\${process#/proc/}" 2>/dev/null
    fi
  done
  [ -z "$found" ] && exit 0
  round=$((round + 1))
  if [ "$round" -le 10 ]; then
    signal=0
    sleep 0.2 2>/dev/null || :
  elif [ "$signal" = STOP ]; then
    signal=KILL
  else
    signal=STOP
  fi
done
exit 1
`;

/**
 * @param mark of the exec whose processes are to end
 * @param age milliseconds since it began
 */
export function enderCommand(mark: string, age: number): readonly string[] {
  return ['/bin/sh', '-c', ender, 'ender', mark, String(Math.ceil(age / 10) + 100), execVariable];
}
