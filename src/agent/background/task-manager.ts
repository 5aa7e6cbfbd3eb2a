import { messageOf } from '../../error-message.ts';
import { BoundedOutput } from '../../tools/bounded-output.ts';
import type { TaskEnd, TaskStart, TaskState, Tasks } from '../../tools/session-ports.ts';

export interface TaskManagerOptions {
  /** Bytes of a task's output that are kept. */
  readonly outputLimit?: number;
  /** Told of every beginning and end, for the terminal and for hooks. */
  readonly onChange?: (task: TaskState) => void;
}

interface Task {
  readonly state: () => TaskState;
  readonly controller: AbortController;
  readonly end: Promise<void>;
  readonly output: BoundedOutput;
}

/**
 * The background work of one session. Tasks are processes or subagents; their output is kept in bounded files; none
 * outlives the session: its end calls `stopAll`, and a killed session's processes end with it.
 */
export function createTasks({ outputLimit, onChange }: TaskManagerOptions = {}): Tasks {
  const tasks = new Map<string, Task>();
  const stateOf = (id: string) => tasks.get(id)?.state() ?? null;

  const stopTask = async ({ controller, end }: Task) => {
    controller.abort();
    await end;
  };

  return {
    start: (start) => {
      const id = `task-${tasks.size + 1}`;
      const task = startTask(id, start, new BoundedOutput(outputLimit), onChange);
      tasks.set(id, task);
      return task.state();
    },
    get: stateOf,
    list: () => [...tasks.values()].map(({ state }) => state()),
    wait: async (id, timeout, signal) => {
      const task = tasks.get(id);
      if (task !== undefined) {
        await endOrTimeout(task.end, timeout, signal);
      }
      return stateOf(id);
    },
    stop: async (id) => {
      const task = tasks.get(id);
      if (task !== undefined) {
        await stopTask(task);
      }
      return stateOf(id);
    },
    stopAll: async () => {
      await Promise.all([...tasks.values()].map(stopTask));
      for (const { output } of tasks.values()) {
        output.close();
      }
    },
  };
}

function startTask(
  id: string,
  { kind, description, run }: TaskStart,
  output: BoundedOutput,
  onChange: TaskManagerOptions['onChange'],
): Task {
  const controller = new AbortController();
  let ended: TaskEnd | null = null;
  const state = (): TaskState => ({
    id,
    kind,
    description,
    status: ended?.status ?? 'running',
    output: output.text(),
    exitCode: ended?.exitCode ?? null,
  });
  const onOutput = (text: string) => output.write(Buffer.from(text));
  const end = Promise.resolve()
    .then(() => run({ signal: controller.signal, onOutput }))
    .catch((error: unknown): TaskEnd => {
      onOutput(`${messageOf(error)}\n`);
      return { status: 'failed' };
    })
    .then((outcome) => {
      ended = controller.signal.aborted ? { ...outcome, status: 'stopped' } : outcome;
      onChange?.(state());
    });
  onChange?.(state());
  return { state, controller, end, output };
}

/** @param timeout milliseconds */
function endOrTimeout(end: Promise<void>, timeout: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    // setTimeout takes no more than 2^31-1; longer waits are as good as endless.
    const timer = setTimeout(finish, Math.min(timeout, 2 ** 31 - 1));
    signal.addEventListener('abort', finish, { once: true });
    void end.then(finish);
    if (signal.aborted) {
      finish();
    }
  });
}
