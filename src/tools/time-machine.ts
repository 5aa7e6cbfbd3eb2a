import { z } from 'zod';
import { pasteable } from '../own-command.ts';
import type { RestoredFiles, RewindOutcome } from './session-ports.ts';
import { defineSessionTool } from './tool.ts';
import { failure, success } from './tool-result.ts';

export const timeMachine = defineSessionTool({
  name: 'TimeMachine',
  description:
    'Goes back in the conversation: the newest user message that starts with message_prefix leaves it, with ' +
    'everything after it, and course_correction takes its place. Unless restore_code is false, the files go back to ' +
    'what they were before that message; their present state is kept on a checkpoint first.',
  effect: 'changes',
  schema: z.strictObject({
    message_prefix: z.string().min(1).describe('How the user message begins to which you go back'),
    course_correction: z.string().min(1).describe('What is to be done instead: the next user message'),
    restore_code: z.boolean().optional().describe('Take the files back, too. Default: true'),
  }),
  example: {
    message_prefix: 'Add a cache',
    course_correction: 'Add a cache, but keep the public interface as it is.',
  },
  run: async (
    { message_prefix: messagePrefix, course_correction: courseCorrection, restore_code: restoreCode = true },
    _,
    session,
  ) => {
    const timeline = session?.timeline;
    if (timeline === undefined) {
      return failure('no-timeline', 'There is no conversation here to go back in.', {
        remedy: 'Only the main agent of a session can go back.',
      });
    }
    const outcome = await timeline.rewind({ messagePrefix, courseCorrection, restoreCode });
    return outcome.ok ? success(told(outcome), dataOf(outcome)) : outcome;
  },
});

type Rewound = Extract<RewindOutcome, { ok: true }>;

const kept = {
  unwanted: 'The files are as they were.',
  unchanged: 'No call since then has changed files, so they are as they were.',
  impossible:
    'No files were restored: this session has no checkpoints (they need a git repository and agent.checkpoints).',
  virtual:
    'No files were restored: those of a virtual session are on no checkpoint. Write back what is not to stay as it is.',
} as const;

function brought({ files, checkpoint, undoneBy }: Exclude<RestoredFiles, string>): string {
  if (files === 0) {
    return kept.unchanged;
  }
  const way = undoneBy === null ? '' : ` To get the present files back: ${pasteable(`oxide-guard undo ${undoneBy}`)}`;
  return `${files} ${files === 1 ? 'file' : 'files'} restored from checkpoint ${checkpoint}.${way}`;
}

function told({ message, removedMessages, restored }: Rewound): string {
  const files = typeof restored === 'string' ? kept[restored] : brought(restored);
  const start = message.length > 60 ? `${message.slice(0, 59)}…` : message;
  return `Back before "${start}": ${removedMessages} ${removedMessages === 1 ? 'message' : 'messages'} left the context. ${files}`;
}

function dataOf({ message, removedMessages, restored }: Rewound) {
  return { message, removed_messages: removedMessages, restored: typeof restored === 'string' ? null : restored };
}
