import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { formatAddress } from './engine-address.ts';
import { type EngineHttp, EngineRefusal } from './engine-http.ts';
import { OutputFrames, type TakeOutput } from './output-frames.ts';

/** Milliseconds. */
const callTimeout = 15_000;
/** Milliseconds. Making and starting a container pulls nothing, but waits for a disk. */
const startTimeout = 60_000;

/** A container as an engine tells of it. */
export interface ContainerState {
  readonly id: string;
  readonly running: boolean;
  /** Milliseconds since the epoch; 0 where the engine does not say. */
  readonly createdAt: number;
  /** The image's id. */
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What an engine needs to know to run one more process in a container. */
export interface EngineExec {
  readonly argv: readonly string[];
  readonly workingDirectory: string | null;
  /** `NAME=value`, besides those of the container. */
  readonly environment: readonly string[];
}

/** A process in a container whose output is read. */
export interface RunningExec {
  readonly execId: string;
  /** Resolves when the output has ended; rejects where the engine broke off. */
  readonly ended: Promise<void>;
  /** Reads no more. The process goes on. */
  letGo(): void;
}

/** A Docker or Podman that answers. Paths are those of Docker's API, which Podman has, too. */
export class Engine {
  readonly tier: 'docker' | 'podman';
  readonly http: EngineHttp;
  readonly #prefix: string;
  #facts: Promise<EngineFacts> | null = null;

  constructor(tier: 'docker' | 'podman', http: EngineHttp, version: string) {
    this.tier = tier;
    this.http = http;
    this.#prefix = `/v${version}`;
  }

  get address(): string {
    return formatAddress(this.http.address);
  }

  isSame(other: Engine): boolean {
    return this.address === other.address && this.tier === other.tier && this.#prefix === other.#prefix;
  }

  /** How it maps users and how many processors it has. */
  facts(): Promise<EngineFacts> {
    this.#facts ??= this.#get<EngineInfo>('/info').then(factsOf, (error) => {
      this.#facts = null;
      throw error;
    });
    return this.#facts;
  }

  /**
   * @returns the id; null when a container of this name is there already
   * @throws EngineRefusal with status 404 where there is no such image
   */
  async createContainer(name: string, spec: unknown): Promise<string | null> {
    try {
      const path = `${this.#prefix}/containers/create?name=${encodeURIComponent(name)}`;
      const { Id } = await this.http.json<{ readonly Id: string }>({
        method: 'POST',
        path,
        body: { json: spec },
        timeout: startTimeout,
      });
      return Id;
    } catch (error) {
      // Podman answers 500 for a name that is taken.
      if (error instanceof EngineRefusal && (error.status === 409 || /already in use/i.test(error.message))) {
        return null;
      }
      throw error;
    }
  }

  /** Starting one that runs already is fine. */
  async startContainer(id: string): Promise<void> {
    await this.#post(`/containers/${encodeURIComponent(id)}/start`, startTimeout);
  }

  /** Null when there is none. */
  async inspectContainer(nameOrId: string): Promise<ContainerState | null> {
    const found = await this.#unlessMissing(
      this.#get<InspectedContainer>(`/containers/${encodeURIComponent(nameOrId)}/json`),
    );
    return found === null
      ? null
      : {
          id: found.Id,
          running: found.State.Running,
          createdAt: Date.parse(found.Created) || 0,
          image: found.Image,
          labels: found.Config.Labels ?? {},
        };
  }

  /** Those with a label `NAME=value`, running or not. */
  async listContainers(label: string): Promise<readonly ContainerState[]> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
    const found = await this.#get<readonly ListedContainer[]>(`/containers/json?all=true&filters=${filters}`);
    return found.map(({ Id, State, Created, ImageID, Labels }) => ({
      id: Id,
      running: State === 'running',
      createdAt: Number(Created) * 1000 || 0,
      image: ImageID,
      labels: Labels ?? {},
    }));
  }

  /**
   * Ends what runs in it and removes it; fine when there is none.
   *
   * @param grace seconds for its first process to end by itself
   */
  async removeContainer(id: string, grace = 0): Promise<void> {
    const place = `/containers/${encodeURIComponent(id)}`;
    if (grace > 0) {
      await this.#unlessMissing(this.#post(`${place}/stop?t=${grace}`, callTimeout + grace * 1000));
    }
    await this.#unlessMissing(
      this.http.json({ method: 'DELETE', path: `${this.#prefix}${place}?force=true&v=true`, timeout: startTimeout }),
    ).catch(async (error) => {
      // It removes itself when it ends, so it may just be about to.
      if (!(error instanceof EngineRefusal && error.status === 409)) {
        throw error;
      }
      await this.#gone(id);
    });
  }

  /** Waits until a container that is being removed is no longer there, or until it has taken too long. */
  async #gone(id: string): Promise<void> {
    const end = Date.now() + callTimeout;
    while (Date.now() < end && (await this.inspectContainer(id)) !== null) {
      await delay(50);
    }
  }

  /** Starts a process in a running container. */
  async exec(id: string, { argv, workingDirectory, environment }: EngineExec, take: TakeOutput): Promise<RunningExec> {
    const created = await this.http.json<{ readonly Id: string }>({
      method: 'POST',
      path: `${this.#prefix}/containers/${encodeURIComponent(id)}/exec`,
      body: {
        json: {
          AttachStdout: true,
          AttachStderr: true,
          Tty: false,
          Cmd: argv,
          Env: environment,
          ...(workingDirectory === null ? {} : { WorkingDir: workingDirectory }),
        },
      },
      timeout: callTimeout,
    });
    const answer = await this.http.send({
      method: 'POST',
      path: `${this.#prefix}/exec/${encodeURIComponent(created.Id)}/start`,
      body: { json: { Detach: false, Tty: false } },
      timeout: startTimeout,
    });
    return { execId: created.Id, ended: this.#read(answer, take), letGo: () => answer.destroy() };
  }

  /** Null: it runs still. */
  async exitCodeOf(execId: string): Promise<number | null> {
    const { Running, ExitCode } = await this.#get<{ readonly Running: boolean; readonly ExitCode: number | null }>(
      `/exec/${encodeURIComponent(execId)}/json`,
    );
    return Running ? null : ExitCode;
  }

  /** An image's id; null where the engine has none of this name. */
  async imageId(name: string): Promise<string | null> {
    const path = `/images/${name.split('/').map(encodeURIComponent).join('/')}/json`;
    return (await this.#unlessMissing(this.#get<{ readonly Id: string }>(path)))?.Id ?? null;
  }

  /**
   * The instructions that a build from this image begins with (ONBUILD); none where the engine has no such image. Podman
   * does not tell: there they are those of the image's history, so also those that an image below it has had done.
   */
  async triggers(name: string): Promise<readonly string[]> {
    const path = `/images/${name.split('/').map(encodeURIComponent).join('/')}`;
    if (this.tier === 'podman') {
      const steps = await this.#unlessMissing(this.#get<readonly { readonly CreatedBy?: string }[]>(`${path}/history`));
      return (steps ?? []).flatMap(
        ({ CreatedBy = '' }) => /(?:^|#\(nop\))\s*ONBUILD\s+(.+)$/is.exec(CreatedBy)?.[1] ?? [],
      );
    }
    const found = await this.#unlessMissing(
      this.#get<{ readonly Config?: { readonly OnBuild?: readonly string[] | null } }>(`${path}/json`),
    );
    return found?.Config?.OnBuild ?? [];
  }

  /** Removes an image that nothing uses; others stay. */
  async removeImage(id: string): Promise<void> {
    const path = `${this.#prefix}/images/${encodeURIComponent(id)}`;
    await this.http.json({ method: 'DELETE', path, timeout: callTimeout }).catch((error) => {
      if (!(error instanceof EngineRefusal)) {
        throw error;
      }
    });
  }

  /**
   * Builds an image. The answer is a stream of JSON texts.
   *
   * @param query as `POST /build` has it
   * @param timeout milliseconds until the engine begins to answer
   */
  build(query: URLSearchParams, context: Readable, timeout: number, signal: AbortSignal): Promise<IncomingMessage> {
    const path = `${this.#prefix}/build?${query}`;
    return this.http.send({ method: 'POST', path, body: { tar: context }, timeout, signal });
  }

  #get<Answer>(path: string): Promise<Answer> {
    return this.http.json<Answer>({ method: 'GET', path: `${this.#prefix}${path}`, timeout: callTimeout });
  }

  #post(path: string, timeout: number): Promise<unknown> {
    return this.http.json({ method: 'POST', path: `${this.#prefix}${path}`, timeout });
  }

  async #unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof EngineRefusal && isMissing(error)) {
        return null;
      }
      throw error;
    }
  }

  #read(answer: IncomingMessage, take: TakeOutput): Promise<void> {
    const frames = new OutputFrames(take);
    return new Promise((resolve, reject) => {
      answer.on('data', (chunk: Buffer) => frames.write(chunk));
      answer.once('end', resolve);
      answer.once('error', (cause) => reject(this.http.unreachable('it broke off while a command ran', cause)));
      answer.once('close', () => reject(this.http.unreachable('it broke off while a command ran')));
    });
  }
}

/** Podman answers 500 where a container goes while it is looked at. */
function isMissing({ status, message }: EngineRefusal): boolean {
  return status === 404 || /no such container/i.test(message);
}

/** What of an engine decides how containers are made. */
export interface EngineFacts {
  /** The engine runs as an ordinary user, who is root inside. */
  readonly rootless: boolean;
  /** Users inside are others outside, unless a container is made without it. */
  readonly remapsUsers: boolean;
  readonly processors: number;
}

interface EngineInfo {
  readonly SecurityOptions?: readonly string[] | null;
  readonly NCPU?: number;
}

function factsOf({ SecurityOptions, NCPU = 1 }: EngineInfo): EngineFacts {
  const names = (SecurityOptions ?? []).flatMap((option) => /(?:^|,)name=([^,]+)/.exec(option)?.[1] ?? []);
  return { rootless: names.includes('rootless'), remapsUsers: names.includes('userns'), processors: NCPU };
}

interface InspectedContainer {
  readonly Id: string;
  readonly Created: string;
  readonly Image: string;
  readonly State: { readonly Running: boolean };
  readonly Config: { readonly Labels: Readonly<Record<string, string>> | null };
}

interface ListedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Created: number;
  readonly ImageID: string;
  readonly Labels: Readonly<Record<string, string>> | null;
}
