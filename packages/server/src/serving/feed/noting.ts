/** A note asks the engine for the parts of the table, which costs as much as three small statements. */
const NOTE_MS = 300_000;
const LAST_NOTE_MS = 2_000;

/** When what an index has is noted: at once after the first change, then every five minutes at most, and at the end. */
export class Noting {
  readonly #note: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  /** How many changes the index had at the last note, and when that was (ms). */
  #noted = 0;
  #notedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(note: () => Promise<void>, failed: (error: unknown) => void) {
    this.#note = note;
    this.#failed = failed;
  }

  /** Notes that the index has so many changes, where it is time; else `later` is called when it is. */
  async inTurn(applied: number, later: () => void): Promise<void> {
    if (this.#noted === applied) return;
    const wait = this.#notedAt + NOTE_MS - performance.now();
    if (wait <= 0) await this.#make(applied);
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        later();
      }, wait).unref();
  }

  /** The last note, unless that takes too long. */
  async end(applied: number): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#noted === applied) return;
    const limit = new Promise<void>((resolve) => void setTimeout(resolve, LAST_NOTE_MS).unref());
    await Promise.race([this.#make(applied), limit]);
  }

  async #make(applied: number): Promise<void> {
    [this.#noted, this.#notedAt] = [applied, performance.now()];
    try {
      await this.#note();
    } catch (error) {
      this.#failed(error);
    }
  }
}
