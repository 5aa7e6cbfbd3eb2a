import type { Model, ModelRequest, ModelTurn, Usage } from '../../agent/model.ts';
import type { Models } from '../../agent/models/catalogue.ts';
import { usageReport } from '../../agent/usage-report.ts';
import type { ModelPrice } from '../../config/agent-settings.ts';
import { OxideError } from '../../errors.ts';
import type { Database } from '../store/database.ts';
import type { Session, Used } from './session.ts';
import type { Share } from './session-limits.ts';
import { leftOf } from './session-tree.ts';
import { getTree } from './store.ts';

type Prices = Readonly<Record<string, ModelPrice>>;

export interface BudgetOptions {
  readonly database: Database;
  readonly session: Session;
  readonly prices: Prices;
}

/** Characters of a conversation that make a token, at the least: an estimate may be too high, not too low. */
const charactersPerToken = 4;
/** How often a sum that could not be saved is saved anew, and the milliseconds before each time. */
const savings = 60;
const savingPause = 1_000;

/**
 * What one session may use and has used. A turn that can't fit into what is left is not begun; turns at the same time
 * (of subagents) each count with an estimate until they are done. The last turn may go over, by what could not be known.
 */
export class Budget {
  readonly #database: Database;
  readonly #session: Session;
  readonly #prices: Prices;
  #used: Used;
  #tokensUnderWay = 0;
  #costUnderWay = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor({ database, session, prices }: BudgetOptions) {
    this.#database = database;
    this.#session = session;
    this.#prices = prices;
    this.#used = session.used;
  }

  get used(): Used {
    return this.#used;
  }

  /**
   * @param leastTokens what the turn will use at the least; asked for where there is a limit
   * @returns to be called when the turn has ended
   * @throws OxideError `budget-exhausted`, `price-unknown`
   */
  async begin(model: string, leastTokens: () => number): Promise<() => void> {
    const { max_tokens, max_cost_usd } = this.#session.limits;
    if (max_tokens.value === null && max_cost_usd.value === null) {
      return () => {};
    }
    const tokens = leastTokens();
    const cost = this.#costOf(model, { inputTokens: tokens, outputTokens: 0, cachedInputTokens: 0 });
    assertPriced(model, max_cost_usd.value, this.#prices);
    // Before anything else is waited for: another turn that begins now must see it.
    this.#tokensUnderWay += tokens;
    this.#costUnderWay += cost ?? 0;
    const done = () => {
      this.#tokensUnderWay -= tokens;
      this.#costUnderWay -= cost ?? 0;
    };
    try {
      this.#assertFits(await this.left());
      return done;
    } catch (error) {
      done();
      throw error;
    }
  }

  /** What the session may use itself, the turns that are under way not counted. */
  async left(): Promise<Share> {
    const { sessionId, rootId } = this.#session;
    const tree = await getTree(this.#database, rootId);
    const now = tree.map((session) => (session.sessionId === sessionId ? { ...session, used: this.#used } : session));
    return leftOf(sessionId, now);
  }

  async spend(model: string, usage: Usage): Promise<void> {
    const cost = this.#costOf(model, usage);
    const { input_tokens, output_tokens, cost_usd, turns } = this.#used;
    this.#used = {
      input_tokens: input_tokens + usage.inputTokens,
      output_tokens: output_tokens + usage.outputTokens,
      cost_usd: cost_usd === null || cost === null ? null : cost_usd + cost,
      turns: turns + 1,
    };
    // One after the other: an older sum must not overwrite a newer one.
    this.#saving = this.#saving.then(() => this.#save());
    await this.#saving;
  }

  /** A turn that was made is not lost because the store is away: the sum is kept here, and saved later. */
  async #save(attempt = 0): Promise<void> {
    const { sessionId } = this.#session;
    const used = JSON.stringify(this.#used);
    try {
      await this.#database.run('UPDATE sessions SET used = ? WHERE session_id = ?', used, sessionId);
    } catch {
      if (attempt < savings) {
        setTimeout(() => {
          this.#saving = this.#saving.then(() => this.#save(attempt + 1));
        }, savingPause).unref();
      }
    }
  }

  #assertFits(left: Share): void {
    const { max_tokens, max_cost_usd } = this.#session.limits;
    if (left.max_tokens !== null && (left.max_tokens === 0 || this.#tokensUnderWay > left.max_tokens)) {
      throw exhausted('max_tokens', `${max_tokens.value} tokens`, `${left.max_tokens} are`);
    }
    if (left.max_cost_usd !== null && (left.max_cost_usd === 0 || this.#costUnderWay > left.max_cost_usd)) {
      throw exhausted('max_cost_usd', `$${max_cost_usd.value}`, `$${left.max_cost_usd} is`);
    }
  }

  #costOf(model: string, usage: Usage): number | null {
    return usageReport([{ model, usage }], this.#prices).cost;
  }
}

/**
 * A budget in dollars can be kept only where the model's price is known.
 *
 * @throws OxideError `price-unknown`
 */
export function assertPriced(model: string, maxCost: number | null, prices: Prices): void {
  if (maxCost !== null && prices[model] === undefined) {
    throw new OxideError('price-unknown', `max_cost_usd is set, and the price of '${model}' is not known.`, {
      remedy: `"agent": {"prices": {"${model}": {"input": 3, "output": 15}}} in the configuration, or no max_cost_usd`,
    });
  }
}

function exhausted(limit: string, budget: string, left: string): OxideError {
  return new OxideError(
    'budget-exhausted',
    `The session’s budget of ${budget} (${limit}) is used up: ${left} left, children’s shares taken off, and the next turn needs more.`,
    { remedy: 'config_limits tells where the limit comes from. End children that are not needed, or raise it.' },
  );
}

/** Models whose turns count, and end with their signal even where the provider does not. */
export function metered(models: Models, budget: Budget): Models {
  return { main: meteredModel(models.main, budget), open: (name) => meteredModel(models.open(name), budget) };
}

function meteredModel(model: Model, budget: Budget): Model {
  // A conversation grows: its next turn uses at least what the last one did.
  let last = 0;
  return {
    name: model.name,
    turn: async (request) => {
      const done = await budget.begin(model.name, () => Math.max(last, leastTokens(request)));
      try {
        const turn = await untilAborted(model, request);
        last = turn.usage.inputTokens + turn.usage.outputTokens;
        await budget.spend(model.name, turn.usage);
        return turn;
      } finally {
        done();
      }
    },
  };
}

function untilAborted(model: Model, request: ModelRequest): Promise<ModelTurn> {
  const { signal, onText } = request;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const heard = (text: string) => {
      if (!signal.aborted) {
        onText(text);
      }
    };
    void Promise.resolve()
      .then(() => model.turn({ ...request, onText: heard }))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) {
      abort();
    }
  });
}

function leastTokens({ system, messages }: ModelRequest): number {
  const characters = messages.reduce((sum, message) => sum + JSON.stringify(message).length, system.length);
  return Math.ceil(characters / charactersPerToken);
}
