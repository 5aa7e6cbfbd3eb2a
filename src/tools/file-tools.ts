import { askUserQuestion } from './ask-user-question.ts';
import { edit } from './edit.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { multiEdit } from './multi-edit.ts';
import { notebookEdit } from './notebook-edit.ts';
import { read } from './read.ts';
import type { Tool } from './tool.ts';
import { write } from './write.ts';

/** The tools that need nothing but files and a person; for a registry, which others join. */
export const fileTools: readonly Tool[] = [read, write, edit, multiEdit, notebookEdit, glob, grep, askUserQuestion];
