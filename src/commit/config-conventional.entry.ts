import conventional from '@commitlint/config-conventional';
// @ts-expect-error -- the preset ships no types
import createPreset from 'conventional-changelog-conventionalcommits';

/** `@commitlint/config-conventional` with its parser preset resolved: for repositories that extend it without installing it. */
export const { rules, prompt } = conventional;
export const parserPreset = {
  name: 'conventional-changelog-conventionalcommits',
  parserOpts: (await createPreset()).parser,
};
