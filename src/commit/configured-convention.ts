import type { CommitSettings } from '../config/configuration.ts';
import { type CommitConvention, conventional } from './convention.ts';

/** The repository's convention: config-conventional with what its configuration changes. */
export function configuredConvention(settings: CommitSettings): CommitConvention {
  return {
    ...conventional,
    types: settings.types ?? conventional.types,
    scopes: settings.scopes ?? conventional.scopes,
    headerMaxLength: settings.headerMaxLength ?? conventional.headerMaxLength,
    levels: { ...conventional.levels, ...settings.rules },
  };
}
