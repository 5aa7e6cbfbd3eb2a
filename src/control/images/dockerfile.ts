/** Where a project's Dockerfile may be, relative to its default workspace; the first that is there is taken. */
export const dockerfilePlaces = ['.oxide-guard/Dockerfile', 'Dockerfile'] as const;

/** What a Dockerfile asks of the world outside of its context. */
export interface DockerfileNeeds {
  /** Images that a stage begins with or copies from, each once, in their order. */
  readonly images: readonly string[];
  /** Images whose name can't be known before the build. */
  readonly unknown: readonly string[];
  /** Sources of ADD that the engine would download. */
  readonly downloads: readonly string[];
}

/**
 * Reads what a Dockerfile names (Dockerfile reference): the images of FROM, of `COPY --from` and `RUN --mount=from`,
 * with the defaults of the ARGs before the first FROM, and what ADD downloads. What a base image's own ONBUILD adds is
 * not in it.
 */
export function dockerfileNeeds(text: string): DockerfileNeeds {
  const reading = new Reading();
  for (const instruction of instructionsOf(text)) {
    reading.take(instruction);
  }
  return reading.needs();
}

/** What is known of a Dockerfile up to some instruction. */
class Reading {
  readonly #values = new Map<string, string>();
  readonly #stages = new Set<string>();
  readonly #images = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #downloads = new Set<string>();
  #stageCount = 0;

  take({ instruction, words }: Instruction): void {
    const operands = words.filter((word) => !word.startsWith('--'));
    switch (instruction) {
      case 'ARG':
        this.#takeArgument(operands[0] ?? '');
        break;
      case 'FROM':
        this.#takeStage(operands);
        break;
      case 'COPY':
      case 'RUN':
        for (const name of words.flatMap((word) => sourceImage(word) ?? [])) {
          this.#takeImage(name);
        }
        break;
      case 'ADD':
        for (const word of operands.filter(mayBeRemote)) {
          this.#downloads.add(word.replace(/^["[]+|["\],]+$/g, ''));
        }
    }
  }

  needs(): DockerfileNeeds {
    return { images: [...this.#images], unknown: [...this.#unknown], downloads: [...this.#downloads] };
  }

  /** Only those before the first FROM have a meaning in a FROM. */
  #takeArgument(text: string): void {
    const [, name = '', value = ''] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (this.#stageCount === 0) {
      this.#values.set(name, expand(unquoted(value), this.#values) ?? '');
    }
  }

  #takeStage([base = '', as, stage = '']: readonly string[]): void {
    this.#takeImage(base);
    if (as?.toUpperCase() === 'AS') {
      this.#stages.add(stage.toLowerCase());
    }
    this.#stageCount += 1;
  }

  #takeImage(name: string): void {
    const image = expand(unquoted(name), this.#values);
    if (image === null || image === '') {
      this.#unknown.add(name);
    } else if (image !== 'scratch' && !this.#isStage(image)) {
      this.#images.add(image);
    }
  }

  #isStage(name: string): boolean {
    return this.#stages.has(name.toLowerCase()) || (/^\d+$/.test(name) && Number(name) < this.#stageCount);
  }
}

function sourceImage(word: string): string | null {
  return /^--from=(.+)$/s.exec(word)?.[1] ?? /^--mount=(?:.*,)?from=([^,]+)/s.exec(word)?.[1] ?? null;
}

/** What a variable stands for in an ADD is not followed. */
function mayBeRemote(word: string): boolean {
  return /^["[]*(?:(?:https?|ftp|git|ssh):\/\/|git@|\$)/i.test(word);
}

interface Instruction {
  /** In capitals. */
  readonly instruction: string;
  readonly words: readonly string[];
}

/** A line that ends with the escape character goes on in the next; comments and empty lines in between do not count. */
function instructionsOf(text: string): readonly Instruction[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const continuation = escapeCharacter(lines);
  const found: Instruction[] = [];
  let pending = '';
  for (const line of lines) {
    if (/^\s*(?:#|$)/.test(line)) {
      continue;
    }
    const trimmed = line.trimEnd();
    if (trimmed.endsWith(continuation)) {
      pending += `${trimmed.slice(0, -1)} `;
      continue;
    }
    const [instruction = '', ...words] = (pending + trimmed).trim().split(/\s+/);
    // ONBUILD runs in builds that begin with this image.
    found.push({ instruction: instruction.toUpperCase(), words });
    pending = '';
  }
  return found;
}

/** Directives are comments before anything else. */
function escapeCharacter(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^\s*#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line);
    if (directive === null) {
      break;
    }
    if (directive[1]?.toLowerCase() === 'escape') {
      return directive[2] ?? '\\';
    }
  }
  return '\\';
}

/** Puts in values of ARGs: `$NAME`, `${NAME}`, `${NAME:-default}`. Null: one is not known. */
function expand(text: string, values: ReadonlyMap<string, string>): string | null {
  let isKnown = true;
  const expanded = text.replace(
    /\$(?:(\w+)|\{(\w+)(?:(:[-+])([^}]*))?\})/g,
    (
      _,
      bare: string | undefined,
      braced: string | undefined,
      operator: string | undefined,
      word: string | undefined,
    ) => {
      const value = values.get(bare ?? braced ?? '') ?? '';
      if (operator === ':-') {
        return value === '' ? (word ?? '') : value;
      }
      if (operator === ':+') {
        return value === '' ? '' : (word ?? '');
      }
      isKnown &&= value !== '';
      return value;
    },
  );
  return isKnown ? expanded : null;
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}
