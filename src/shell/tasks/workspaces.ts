import type { Shell } from '../call.ts';
import { parsedJson, valueAt } from './json-values.ts';

/** More packages than this are not looked at. */
const maximumPackages = 200;

/**
 * The directories of a workspace's packages, by package.json `workspaces`, lerna.json and pnpm-workspace.yaml: a pattern
 * is read as far as its first star, for what lies directly there.
 */
export function workspaceDirectories(root: string, shell: Shell): readonly string[] {
  const texts = ['package.json', 'lerna.json'].map((name) => shell.overlay.tasks(`${root}/${name}`) ?? '');
  const inYaml = /^packages:\s*\n((?:\s*-.*\n?)+)/m.exec(shell.overlay.tasks(`${root}/pnpm-workspace.yaml`) ?? '')?.[1];
  const listed = Array.from((inYaml ?? '').matchAll(/-\s*["']?([^"'\s]+)/g), ([, pattern = '']) => pattern);
  const patterns = [...texts.flatMap(patternsIn), ...listed].filter((pattern) => !pattern.startsWith('!'));
  return patterns.flatMap((pattern) => expanded(`${root}/${pattern}`, shell)).slice(0, maximumPackages);
}

function patternsIn(text: string): readonly string[] {
  if (!/"(?:workspaces|packages)"/.test(text)) {
    return [];
  }
  const manifest = parsedJson(text);
  const workspaces = valueAt(manifest, 'workspaces');
  const lists = [valueAt(workspaces, 'packages') ?? workspaces, valueAt(manifest, 'packages')];
  return lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((item) => typeof item === 'string');
}

function expanded(pattern: string, shell: Shell): readonly string[] {
  const plain = pattern.replace(/\/+$/, '');
  const star = plain.indexOf('/*');
  if (star === -1) {
    return [plain];
  }
  const above = plain.slice(0, star);
  return (shell.files.list(above) ?? []).map((name) => `${above}/${name}`);
}
