import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openProjectFile } from '../project-file.ts';

/** A kind of subagent. */
export interface SubagentDefinition {
  readonly name: string;
  /** For the model: when to use it. */
  readonly description: string;
  /** Names of tools; null: all of its parent's. */
  readonly tools: readonly string[] | null;
  /** A model's name or alias, or `inherit`; null: the configured default. */
  readonly model: string | null;
  /** Its system prompt; null: the general one. */
  readonly prompt: string | null;
}

const builtIn: readonly SubagentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'Does a task of several steps on its own, with all tools.',
    tools: null,
    model: 'inherit',
    prompt: null,
  },
  {
    name: 'explore',
    description: 'Finds and reads; changes nothing. For questions about the code.',
    tools: ['Read', 'Glob', 'Grep'],
    model: 'inherit',
    prompt:
      'You explore a code base to answer one question. You can only read. Answer with facts and the places where they ' +
      'are found (path:line), and say what you could not find.',
  },
];

export interface Definitions {
  readonly definitions: readonly SubagentDefinition[];
  /** Files that are no definition, with the reason. */
  readonly problems: readonly string[];
}

/**
 * The kinds of subagents of a project: the built-in ones, and `.oxide-guard/agents/*.md`, whose front matter has `name`,
 * `description`, `tools` (by commas) and `model`; the rest is the prompt. A project's definition replaces a built-in one.
 */
export function readDefinitions(root: string): Definitions {
  const directory = join(root, '.oxide-guard', 'agents');
  const byName = new Map(builtIn.map((definition) => [definition.name, definition]));
  const problems: string[] = [];
  for (const file of markdownIn(directory)) {
    const parsed = readDefinition(join(directory, file), root);
    if (typeof parsed === 'string') {
      problems.push(`${join(directory, file)}: ${parsed}`);
    } else {
      byName.set(parsed.name, parsed);
    }
  }
  return { definitions: [...byName.values()], problems };
}

function readDefinition(path: string, root: string): SubagentDefinition | string {
  const opening = openProjectFile(path, root);
  return opening.ok
    ? parseDefinition(basename(path), opening.file.bytes.toString('utf8'))
    : `it can't be read: ${opening.failure.error.message}`;
}

function markdownIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return [];
  }
}

/** @returns the definition, or what is wrong */
export function parseDefinition(file: string, text: string): SubagentDefinition | string {
  const [, matter, body = ''] = /^\uFEFF?---\r?\n(.*?)\r?\n---\r?\n?(.*)$/s.exec(text) ?? [];
  if (matter === undefined) {
    return 'it does not begin with front matter between two lines of `---`';
  }
  const fields = new Map(
    matter.split(/\r?\n/).flatMap((line): readonly [string, string][] => {
      const [, key, value = ''] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value.replace(/^(["'])(.*)\1$/, '$2')]];
    }),
  );
  const name = fields.get('name') || basename(file, '.md');
  const description = fields.get('description') ?? '';
  if (!/^[\w-]+$/.test(name)) {
    return `its name '${name}' must consist of letters, digits, - and _`;
  }
  if (description === '') {
    return 'its front matter has no description, by which a model could choose it';
  }
  const tools = fields.get('tools')?.replace(/^\[(.*)\]$/, '$1');
  return {
    name,
    description,
    tools:
      tools === undefined || tools === ''
        ? null
        : tools.split(',').map((tool) => tool.trim().replace(/^(["'])(.*)\1$/, '$2')),
    model: fields.get('model') || null,
    prompt: body.trim() === '' ? null : body.trim(),
  };
}
