import { setTimeout as sleep } from "node:timers/promises";
import { isDamaged } from "../../ordered/ordered-store.ts";

/** Tracks whether the file of an index was found to be damaged: `found` is called once, until the index is rebuilt. */
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

  /** Checks whether an error means that the file is damaged. */
  readonly look = (cause: unknown): void => {
    if (this.#isFound || !isDamaged(cause)) return;
    this.#isFound = true;
    this.#found(cause);
    this.#resting.abort();
  };

  /** Called when the file was removed or replaced. */
  readonly forget = (): void => {
    this.#isFound = false;
  };

  /** Returns the result of `work`; undefined if the file is damaged. */
  readonly read = <Result>(work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (cause) {
      this.look(cause);
      if (!this.#isFound) throw cause;
      return undefined;
    }
  };

  /** Returns the result of `work`; if it fails, the error is checked for damage. */
  readonly watch = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      this.look(cause);
      throw cause;
    }
  };

  /** Resolves when the time is over, the file is found to be damaged, or the index is closed. */
  async rest(ms: number, closed: AbortSignal): Promise<void> {
    if (this.#isFound) return;
    this.#resting = new AbortController();
    const signal = AbortSignal.any([this.#resting.signal, closed]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
