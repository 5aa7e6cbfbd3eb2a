import { type AnswerAtOnce, askAtOnce } from '../../../git/runner.ts';
import { monotonicTime } from '../../../shell/bounds.ts';
import { readsHistory } from '../remembering.ts';

type Answers = Map<string, AnswerAtOnce>;

/** What git has answered in one directory. */
interface Known {
  /** When it was looked whether the files are as they were. */
  at: number;
  readonly since: number;
  readonly signature: string | null;
  readonly ofHistory: Answers;
  ofTree: Answers;
}

/** For how long answers are believed. */
export interface Belief {
  /** Milliseconds. */
  readonly maxAge: number;
  /** Milliseconds, of answers about refs and commits, while the signature is the same. */
  readonly maxHistoryAge: number;
  /** What tells of a directory's repository that refs and configuration are as they were; null: nothing does. */
  readonly signatureAt: (directory: string) => string | null;
}

/** git's answers to questions that nothing can wait for, each asked once for as long as it is believed. */
export class AnswersAtOnce {
  readonly #belief: Belief;
  readonly #known = new Map<string, Known>();
  #doubtedAt = 0;

  constructor(belief: Belief) {
    this.#belief = belief;
  }

  /** Somebody may have changed something since. */
  doubt(): void {
    this.#doubtedAt = monotonicTime();
  }

  /** Puts a question to git. @param directory absolute */
  ask(words: readonly string[], directory: string): AnswerAtOnce {
    const { ofHistory, ofTree } = this.#knownAt(directory);
    const answers = readsHistory(words) ? ofHistory : ofTree;
    const key = words.join('\0');
    const answer = answers.get(key) ?? askAtOnce(words, directory);
    answers.set(key, answer);
    return answer;
  }

  #knownAt(directory: string): Known {
    const { maxAge, maxHistoryAge, signatureAt } = this.#belief;
    const now = monotonicTime();
    const known = this.#known.get(directory);
    if (known !== undefined && known.at >= this.#doubtedAt && now - known.at < maxAge) {
      return known;
    }
    const signature = signatureAt(directory);
    if (known !== undefined && signature !== null && signature === known.signature) {
      if (now - known.since < maxHistoryAge) {
        known.at = now;
        known.ofTree = new Map();
        return known;
      }
    }
    this.#forgetOld(now);
    const fresh = { at: now, since: now, signature, ofHistory: new Map(), ofTree: new Map() };
    this.#known.set(directory, fresh);
    return fresh;
  }

  /** A long-lived process judges lines for many directories. */
  #forgetOld(now: number): void {
    for (const [directory, { at }] of this.#known) {
      if (now - at >= this.#belief.maxHistoryAge) {
        this.#known.delete(directory);
      }
    }
  }
}
