import type { ToolCallPorts } from './tool-call-ports.ts';

/** A context whose working directory follows the agent's own `cd`, apart from every other agent's. */
export function withOwnDirectory(context: ToolCallPorts['context']): ToolCallPorts['context'] {
  let cwd = context.cwd;
  return {
    ...context,
    get cwd() {
      return cwd;
    },
    changeDirectory: (directory) => {
      cwd = directory;
    },
  };
}
