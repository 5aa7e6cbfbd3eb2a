import type { Environment } from '../../git/runner.ts';
import type { Engine } from './engine.ts';
import { type EngineSearch, findEngine, noEngine } from './engine-search.ts';

/** The container engine of this machine, as it was met last. */
export class EngineLink {
  readonly #env: Environment;
  #known: Engine | null = null;

  /** @param env says where engines are */
  constructor(env: Environment) {
    this.#env = env;
  }

  /** Looks for one that answers now. */
  async find(): Promise<EngineSearch> {
    const found = await findEngine(this.#env);
    if (found.ok && this.#known?.isSame(found.engine) === true) {
      // What it is known to be able to do takes Podman long to tell.
      return { ok: true, engine: this.#known };
    }
    this.#known = found.ok ? found.engine : null;
    return found;
  }

  /** The one that answered last; looks only where none did. */
  async last(): Promise<EngineSearch> {
    return this.#known === null ? this.find() : { ok: true, engine: this.#known };
  }

  /** It did not answer. */
  forget(): void {
    this.#known = null;
  }

  /** @throws OxideError `no-engine` */
  async require(): Promise<Engine> {
    const found = await this.find();
    if (!found.ok) {
      throw noEngine(found.reason);
    }
    return found.engine;
  }
}
