import type { ModelPrice } from '../config/agent-settings.ts';
import { addUsage } from './loop.ts';
import { noUsage, type Usage } from './model.ts';

export interface ModelUsage {
  readonly model: string;
  readonly usage: Usage;
  /** US dollars; null where the configuration has no price for the model. */
  readonly cost: number | null;
}

export interface UsageReport {
  readonly total: Usage;
  readonly models: readonly ModelUsage[];
  /** Null when the price of one model is not known. */
  readonly cost: number | null;
}

/** Adds up what a session has used, subagents and all, by model. */
export function usageReport(
  used: readonly { readonly model: string; readonly usage: Usage }[],
  prices: Readonly<Record<string, ModelPrice>>,
): UsageReport {
  const sums = new Map<string, Usage>();
  for (const { model, usage } of used) {
    sums.set(model, addUsage(sums.get(model) ?? noUsage, usage));
  }
  const models = [...sums].map(([model, usage]) => ({ model, usage, cost: costOf(usage, prices[model]) }));
  const total = models.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  const cost = models.some((model) => model.cost === null)
    ? null
    : models.reduce((sum, model) => sum + (model.cost ?? 0), 0);
  return { total, models, cost };
}

function costOf({ inputTokens, outputTokens, cachedInputTokens }: Usage, price: ModelPrice | undefined): number | null {
  if (price === undefined) {
    return null;
  }
  const { input, output, cachedInput = input } = price;
  const fresh = inputTokens - cachedInputTokens;
  return (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1_000_000;
}
