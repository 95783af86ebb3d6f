/** Recording the state queries the table's parts from the engine, which costs as much as three small statements. */
const NOTE_MS = 300_000;
const LAST_NOTE_MS = 2_000;

/**
 * Schedules when an index's state is recorded: after the first change, then at most every five minutes, and at the end.
 */
export class Noting {
  readonly #note: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  /** Number of changes applied at the last record, and its time (ms). */
  #noted = 0;
  #notedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(note: () => Promise<void>, failed: (error: unknown) => void) {
    this.#note = note;
    this.#failed = failed;
  }

  /** Records the state with this number of changes if it is due; otherwise `later` is called when it is. */
  async withLock(applied: number, later: () => void): Promise<void> {
    if (this.#noted === applied) return;
    const wait = this.#notedAt + NOTE_MS - performance.now();
    if (wait <= 0) await this.#make(applied);
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        later();
      }, wait).unref();
  }

  /** Makes the last record, but does not wait too long for it. */
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
