import type { Clock } from "../../packages/server/src/ingest/clock.ts";
import type { SimClock } from "./sim-clock.ts";

const NEVER = new Promise<never>(() => undefined);

/**
 * The simulated thread of one service process: everything it awaits is a step. Once it is cut nothing awaited resolves
 * any more, as in a process killed at that point.
 */
export class LifeThread {
  readonly #clock: SimClock;
  readonly #killed = Promise.withResolvers<string>();
  readonly #onCut: (() => void)[] = [];
  #isAlive = true;
  #left = Number.POSITIVE_INFINITY;

  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves with the name of the step when the thread is cut. */
  get killed(): Promise<string> {
    return this.#killed.promise;
  }

  /** Cuts the thread after this many more steps. */
  cutAfter(steps: number): void {
    this.#left = steps;
  }

  onCut(run: () => void): void {
    this.#onCut.push(run);
  }

  cut(where: string): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const run of this.#onCut) run();
    this.#killed.resolve(where);
  }

  /** Ends the thread without a kill: the run is over. */
  retire(): void {
    this.#isAlive = false;
    for (const run of this.#onCut) run();
  }

  /** Takes a step. Never resolves if the thread is cut by it. */
  async step(name: string): Promise<void> {
    this.count(name);
    if (!this.#isAlive) await NEVER;
  }

  /** The same where awaiting is impossible: returns whether the thread is still alive. */
  count(name: string): boolean {
    this.#left -= 1;
    if (this.#left <= 0) this.cut(name);
    return this.#isAlive;
  }

  /** Machine work, with a step before and after it. */
  async over<T>(name: string, ms: number, work: () => Promise<T>): Promise<T> {
    await this.step(`before ${name}`);
    try {
      return await this.#clock.during(ms, work);
    } finally {
      await this.step(`behind ${name}`);
    }
  }

  /** The clock as this service process sees it. */
  clock(now: () => number): Clock {
    return {
      now,
      monotonicMs: this.#clock.monotonicMs,
      sleep: async (ms, signal) => {
        try {
          await this.#clock.sleep(ms, signal);
        } finally {
          await this.step("a wait");
        }
      },
    };
  }
}
