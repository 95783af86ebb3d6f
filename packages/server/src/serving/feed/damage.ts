import { setTimeout as sleep } from "node:timers/promises";
import { isDamaged } from "../../ordered/damaged.ts";

/** Whether the file of an index was found to be damaged: `found` is called once, until it is made anew. */
export class Damage {
  readonly #found: (cause: unknown) => void;
  #isFound = false;
  /** Ends a pause. */
  #resting = new AbortController();

  constructor(found: (cause: unknown) => void) {
    this.#found = found;
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Something failed: it may be that the file is damaged. */
  readonly look = (cause: unknown): void => {
    if (this.#isFound || !isDamaged(cause)) return;
    this.#isFound = true;
    this.#found(cause);
    this.#resting.abort();
  };

  /** The file was taken away, or another took its place. */
  readonly forget = (): void => {
    this.#isFound = false;
  };

  /** What `work` gives; undefined where the file is damaged. */
  readonly read = <Result>(work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (cause) {
      this.look(cause);
      if (!this.#isFound) throw cause;
      return undefined;
    }
  };

  /** What `work` gives; where it fails that is looked at too. */
  readonly watch = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      this.look(cause);
      throw cause;
    }
  };

  /** Until the time is over, the file is found to be damaged, or the index is closed. */
  async rest(ms: number, closed: AbortSignal): Promise<void> {
    if (this.#isFound) return;
    this.#resting = new AbortController();
    const signal = AbortSignal.any([this.#resting.signal, closed]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
