import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type McpTools, openMcpTools } from '../../../src/agent/mcp/tools.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { contextIn } from '../../tools/fixture.ts';
import { openTestSession, write } from '../fixture.ts';

/** A server with two pages of tools: `add` adds, `fail` fails, `hang` never answers, `die` ends the server. */
const script = `
const { createInterface } = require('node:readline');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = (name) => ({ name, description: 'Tool ' + name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
console.log('a log line on the wrong stream');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } } });
  if (method === 'tools/list') say({ id, result: params.cursor === 'two' ? { tools: [...['hang', 'die', 'break', 'separator', 'odd', 'flood', 'a b', 'a_b'].map(tool), { name: 'bare', inputSchema: {} }] } : { tools: [tool('add'), tool('fail')], nextCursor: 'two' } });
  if (method !== 'tools/call') return;
  const { name, arguments: { a, b } } = params;
  if (name === 'add') say({ id, result: { content: [{ type: 'text', text: String(a + b) }, { type: 'image', data: '' }] } });
  if (name === 'fail') say(a === 1 ? { id, error: { code: -32000, message: 'no such thing' } } : { id, result: { isError: true, content: [{ type: 'text', text: 'went wrong' }] } });
  if (name === 'die') process.exit(3);
  if (name === 'break') { process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"cont'); process.kill(process.pid, 'SIGKILL'); }
  if (name === 'separator') say({ id, result: { content: [{ type: 'text', text: 'a\u2028b' }] } });
  if (name === 'odd') say({ id, error: 'no' });
  if (name === 'flood') { const write = () => { while (process.stdout.write('x'.repeat(1 << 20))); process.stdout.once('drain', write); }; write(); }
});
`;

let opened: McpTools | undefined;
afterEach(() => opened?.close());

async function open(problems: string[] = []) {
  const directory = temporaryDirectory();
  write(directory, 'server.cjs', script);
  const server = { command: process.execPath, args: [join(directory, 'server.cjs')] };
  opened = await openMcpTools({ calc: server }, directory, process.env, (problem) => problems.push(problem));
  const run = (name: string, input: object, signal = new AbortController().signal) =>
    opened?.tools
      .find((tool) => tool.name === `mcp__calc__${name}`)
      ?.execute(input, { ...contextIn(directory), signal });
  return { tools: opened.tools, run };
}

describe('an MCP server', () => {
  it('gives its tools, page by page, and what it says of them is not trusted', async () => {
    const { tools } = await open();
    expect(tools.map(({ name }) => name).slice(0, 4)).toEqual(
      ['add', 'fail', 'hang', 'die'].map((name) => `mcp__calc__${name}`),
    );
    expect(tools[0]).toMatchObject({ description: 'Tool add', effect: 'changes', parameters: { type: 'object' } });
  });

  it('runs a tool', async () => {
    const { run } = await open();
    expect(await run('add', { a: 2, b: 3 })).toMatchObject({ ok: true, text: '5\n[image left out]' });
  });

  it('tells its errors as failures of the tool', async () => {
    const { run } = await open();
    expect(await run('fail', { a: 1 })).toMatchObject({ ok: false, text: expect.stringContaining('no such thing') });
    expect(await run('fail', { a: 2 })).toMatchObject({ ok: false, text: 'went wrong' });
  });

  it('is not waited for once the user interrupts', async () => {
    const { run } = await open();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    expect(await run('hang', {}, controller.signal)).toMatchObject({ ok: false, error: { code: 'interrupted' } });
  });

  it('that ends in between is told, also at the next call', async () => {
    const { run } = await open();
    expect(await run('die', {})).toMatchObject({ ok: false, error: { code: 'mcp-gone' } });
    expect(await run('add', {})).toMatchObject({ ok: false, error: { code: 'mcp-gone' } });
  });

  it('that is killed within an answer is told with the signal', async () => {
    const { run } = await open();
    expect(await run('break', {})).toMatchObject({ ok: false, text: expect.stringContaining('has ended (SIGKILL)') });
  });

  it('that writes a line without end is ended, and the call fails', async () => {
    const { run } = await open();
    expect(await run('flood', {})).toMatchObject({ ok: false, text: expect.stringContaining('more than 32 MiB') });
    expect(await run('add', {})).toMatchObject({ ok: false, error: { code: 'mcp-gone' } });
  });

  it('may write line separators that end no line, and errors that are no objects', async () => {
    const { run } = await open();
    expect(await run('separator', {})).toMatchObject({ ok: true, text: 'a\u2028b' });
    expect(await run('odd', {})).toMatchObject({ ok: false, text: expect.stringContaining('says: "no"') });
  });

  it('may call two tools by what is one name to us, and leave a schema empty', async () => {
    const problems: string[] = [];
    const { tools } = await open(problems);
    expect(tools.filter(({ name }) => name === 'mcp__calc__a_b')).toHaveLength(1);
    expect(problems).toEqual(["A second MCP tool would be called 'mcp__calc__a_b', too; it is left out."]);
    expect(tools.at(-1)).toMatchObject({ name: 'mcp__calc__bare', parameters: { type: 'object' } });
  });

  it('that does not start is told and left out', async () => {
    const problems: string[] = [];
    opened = await openMcpTools({ gone: { command: '/does/not/exist' } }, '/', process.env, (problem) =>
      problems.push(problem),
    );
    expect(opened.tools).toEqual([]);
    expect(problems).toMatchObject([expect.stringContaining("The tools of the MCP server 'gone' are missing")]);
  });
});

it('updatedMCPToolOutput takes the place of what a server answered', async () => {
  const { tools } = await open();
  const session = await openTestSession({
    tools,
    mode: 'bypass',
    script: [{ calls: [{ name: 'mcp__calc__add', input: { a: 2, b: 3 } }] }, { text: 'Done.' }],
    hooks: (registry) =>
      registry.register(
        'PostToolUse',
        'test',
        ({ tool_response }) => ({
          hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: { seen: tool_response !== null } },
        }),
        { matcher: 'mcp__.*' },
      ),
  });
  await session.prompt();
  expect(session.results()).toMatchObject([{ is_error: false, content: '{"seen":true}' }]);
});
