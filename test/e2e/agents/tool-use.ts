import { basename } from 'node:path';
import { isShellTool } from '../../../src/dialects/tool-call.ts';

/** What a model asks for: a command for the shell tool, or a new file from the tool that writes them. */
export type Wish = string | { readonly path: string; readonly content: string };

/** A call as a model makes it; a text is the whole input of a tool that takes no object. */
export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, string>> | string;
}

interface Tool {
  readonly name: string;
  readonly properties: readonly string[];
  readonly takesText: boolean;
}

/** By the providers' names for the parts of a tool. */
function declared(tools: unknown): readonly Tool[] {
  return Array.isArray(tools)
    ? tools.flatMap((tool) => {
        const schema = tool.input_schema ?? tool.parameters ?? tool.parametersJsonSchema ?? tool.function?.parameters;
        const one: Tool = {
          name: String(tool.name ?? tool.function?.name ?? tool.type),
          properties: Object.keys(schema?.properties ?? {}),
          takesText: tool.type === 'custom',
        };
        return tool.functionDeclarations === undefined ? [one] : declared(tool.functionDeclarations);
      })
    : [];
}

const isShell = (name: string) => isShellTool(name) || /^(?:exec_command|shell_command)$/.test(name);
const isWriter = (name: string) => /^(?:write|create|write_file|create_file|apply_?patch)$/i.test(name);

/** As Codex writes patches. */
function patchOf({ path, content }: Exclude<Wish, string>): string {
  return `*** Begin Patch\n*** Add File: ${basename(path)}\n${content.replace(/^/gm, '+')}\n*** End Patch\n`;
}

/**
 * The call that grants a wish.
 *
 * @param tools what the client has told the provider
 * @param shell the tool that shall run commands; null for the client's usual one
 * @returns null in a session that has no such tool
 */
export function toolUse(wish: Wish, tools: unknown, shell: string | null): ToolUse | null {
  const offered = declared(tools);
  const tool = offered.find(({ name }) => (typeof wish === 'string' ? isShell(name) : isWriter(name)));
  if (tool === undefined) {
    // Codex takes a patch out of a command where the model has no tool for it.
    const command = typeof wish === 'string' ? null : `apply_patch <<'EOF'\n${patchOf(wish)}EOF`;
    return command === null ? null : toolUse(command, tools, shell);
  }
  if (typeof wish === 'string') {
    const name = shell ?? tool.name;
    return name === 'exec_command'
      ? { name, input: { cmd: wish } }
      : { name, input: { command: wish, description: 'Push' } };
  }
  const { name, properties, takesText } = tool;
  const patch = patchOf(wish);
  const values: readonly (readonly [RegExp, string])[] = [
    [/^(?:file_?path|path)$/i, wish.path],
    [/^(?:content|contents|file_text)$/i, wish.content],
    [/^(?:patch|patch_?text|input)$/i, patch],
    [/^(?:description|explanation|reason)$/i, 'Write'],
  ];
  const input = properties.flatMap((key) => {
    const value = values.find(([names]) => names.test(key));
    return value === undefined ? [] : [[key, value[1]] as const];
  });
  return { name, input: takesText ? patch : Object.fromEntries(input) };
}
