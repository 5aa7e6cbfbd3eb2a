import type { Model } from '../model.ts';
import type { Models } from '../models/catalogue.ts';

/**
 * Which model a subagent has. A name or an alias: that one. `inherit`: its parent's. Absent: what its definition says,
 * and where that is silent, too, the configured default.
 */
export function subagentModel(
  requested: string | undefined,
  defined: string | null,
  parent: Model,
  models: Models,
): Model {
  const wanted = requested ?? defined;
  if (wanted === null) {
    return models.main;
  }
  return wanted === 'inherit' ? parent : models.open(wanted);
}
