import { agent } from '../tools/agent.ts';
import { bash } from '../tools/bash.ts';
import { fileTools } from '../tools/file-tools.ts';
import { task } from '../tools/task.ts';
import { taskOutput } from '../tools/task-output.ts';
import { timeMachine } from '../tools/time-machine.ts';
import type { Tool } from '../tools/tool.ts';

/** Every tool of a guarded session, in the order in which the model sees them. */
export const sessionTools: readonly Tool[] = [...fileTools, bash, task, taskOutput, agent, timeMachine];
