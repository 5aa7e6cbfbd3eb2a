/**
 * Draws what a session of the guarded agent looks like on a real terminal, as an SVG:
 * `node --import jiti/register test/e2e/agent-picture.ts docs/agent.svg`, after `npm run build`. It takes tmux.
 */
import '../environment.setup.ts';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commit, git, write } from '../git/fixture.ts';
import { startTmux } from '../ui/tmux.ts';
import { guardedRepository, oxideGuard, pushFromElsewhere } from './guarded-repository.ts';

const columns = 92;
const rows = 34;
const cell = { width: 8.4, height: 18 };
const margin = 16;

const colours: Readonly<Record<number, string>> = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };
const paper = '#0d1117';
const ink = '#e6edf3';

const turns = [
  {
    text: 'The greeting first, then I publish it.',
    tool_calls: [
      { name: 'Edit', input: { file_path: 'greeting.txt', old_string: 'Hello', new_string: 'Hello, world' } },
    ],
  },
  { tool_calls: [{ name: 'Bash', input: { command: 'git commit -qam "feat: greet the world"' } }] },
  { text: 'Now the push.', tool_calls: [{ name: 'Bash', input: { command: 'git push --force origin main' } }] },
  {
    text: 'That would have thrown away a commit of somebody else. A new branch is safe.',
    tool_calls: [{ name: 'Bash', input: { command: 'git push -u origin HEAD:refs/heads/greeting' } }],
  },
];

/** One session up to its last question, as tmux shows it with its colours. */
async function capture(): Promise<string> {
  const repository = guardedRepository();
  const { work } = repository;
  write(work, 'greeting.txt', 'Hello\n');
  git(work, 'add', '.');
  commit(work, 'feat: greet');
  git(work, 'push', '--quiet', '--no-verify');
  pushFromElsewhere(repository, 'main', 'fix: their urgent fix');
  git(work, 'fetch', '--quiet');
  const recording = join(dirname(work), 'demo');
  writeFileSync(recording, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const variables = Object.entries(process.env).filter(([name]) => /^(GIT_|HOME$|LC_ALL$)/.test(name));
  const env = { ...Object.fromEntries(variables), XDG_STATE_HOME: join(dirname(work), 'state') };
  const tmux = startTmux('picture');
  try {
    const command = [process.execPath, oxideGuard, 'agent', '--provider', 'replay:../demo', '--permission-mode'];
    const terminal = tmux.open([...command, 'accept-edits', 'greet the world and publish it'], {
      cwd: work,
      columns,
      rows,
      env,
    });
    for (const [question, key] of [['git commit', 'y']] as const) {
      await terminal.shows(`  ${question}`);
      await setTimeout(600);
      await terminal.press(key);
    }
    await terminal.shows('HEAD:refs/heads/greeting');
    await terminal.shows('Esc denies');
    return terminal.colours();
  } finally {
    tmux.end();
  }
}

interface Style {
  readonly colour: string;
  readonly bold: boolean;
  readonly dim: boolean;
}

const plain: Style = { colour: ink, bold: false, dim: false };

function styled(style: Style, code: number): Style {
  switch (code) {
    case 0:
      return plain;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 39:
      return { ...style, colour: ink };
    default:
      return { ...style, colour: colours[code] ?? style.colour };
  }
}

/** Each run of characters of one style at its place, so that columns stay in line with any font. */
function drawn(screen: string): string {
  let style = plain;
  const runs = screen
    .trimEnd()
    .split('\n')
    .flatMap((line, row) => {
      let column = 0;
      return line.split(/(\x1b\[[\d;]*m)/).flatMap((part) => {
        const codes = /^\x1b\[([\d;]*)m$/.exec(part);
        if (codes !== null) {
          style = (codes[1] ?? '').split(';').map(Number).reduce(styled, style);
          return [];
        }
        const x = margin + column * cell.width;
        const length = [...part].length;
        column += length;
        return part.trim() === '' ? [] : [textAt(x, margin + (row + 0.75) * cell.height, part, length, style)];
      });
    });
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = screen.trimEnd().split('\n').length * cell.height + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<title>A session of the guarded agent: a force push is refused, another push waits for an answer</title>',
    `<rect width="100%" height="100%" rx="8" fill="${paper}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
    ...runs,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function textAt(x: number, y: number, text: string, length: number, { colour, bold, dim }: Style): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const weight = bold ? ' font-weight="bold"' : '';
  const opacity = dim ? ' opacity="0.6"' : '';
  const extent = (length * cell.width).toFixed(1);
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${extent}" fill="${colour}"${weight}${opacity}>${escaped}</text>`;
}

const [target = 'docs/agent.svg'] = process.argv.slice(2);
writeFileSync(target, drawn(await capture()));
