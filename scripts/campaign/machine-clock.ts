import type { Clock } from "../../packages/server/src/ingest/clock.ts";

/** At `realMs` of the real clock this one showed `shownMs`, and has run `rate` times as fast since. */
export type ClockState = { readonly realMs: number; readonly shownMs: number; readonly rate: number };

type Sleeper = { readonly dueMs: number; readonly wake: () => void; timer: NodeJS.Timeout | undefined };

const realNow = Date.now.bind(Date);
/** Longer waits are rechecked after this long. */
const MAX_NAP_MS = 60_000;

/**
 * The clock of a run's simulated machine: runs at a given rate, the same in every process that shares its state. A
 * sleeper wakes when the clock is moved past its due time.
 */
export class MachineClock implements Clock {
  #state: ClockState;
  readonly #sleepers = new Set<Sleeper>();

  constructor(state: ClockState) {
    this.#state = state;
  }

  static startingAt(shownMs: number, rate: number): MachineClock {
    return new MachineClock({ realMs: realNow(), shownMs, rate });
  }

  get state(): ClockState {
    return this.#state;
  }

  readonly now = (): number => {
    const { realMs, shownMs, rate } = this.#state;
    return Math.floor(shownMs + (realNow() - realMs) * rate);
  };

  /** Same as `now`: nothing sets one without the other. */
  readonly monotonicMs = this.now;

  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#forget(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        this.#forget(sleeper);
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const sleeper: Sleeper = { dueMs: this.now() + Math.max(0, ms), wake, timer: undefined };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#wait(sleeper);
    });
  };

  /** Adopts another state of the same clock. */
  follow(state: ClockState): void {
    this.#state = state;
    for (const sleeper of this.#sleepers) this.#wait(sleeper);
  }

  /** Moves the clock forward at once. */
  jump(ms: number): ClockState {
    this.follow({ ...this.#state, shownMs: this.#state.shownMs + ms });
    return this.#state;
  }

  /** Continues from now at another rate. */
  expedite(rate: number): ClockState {
    this.follow({ realMs: realNow(), shownMs: this.now(), rate });
    return this.#state;
  }

  #wait(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    const ms = Math.min(MAX_NAP_MS, (sleeper.dueMs - this.now()) / this.#state.rate);
    sleeper.timer = setTimeout(
      () => (this.now() >= sleeper.dueMs ? sleeper.wake() : this.#wait(sleeper)),
      Math.max(0, Math.ceil(ms)),
    );
  }

  #forget(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    this.#sleepers.delete(sleeper);
  }
}
