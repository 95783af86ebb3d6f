import type { Clock } from "../../packages/server/src/ingest/clock.ts";
import type { SimClock } from "./sim-clock.ts";

const NEVER = new Promise<never>(() => undefined);

/**
 * The thread on which a life of the service hangs: everything that it waits for is a step of it. Once it is cut nothing
 * that was waited for comes any more, as in a process that was killed there.
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

  /** Resolves, with the name of the step, when it is cut. */
  get killed(): Promise<string> {
    return this.#killed.promise;
  }

  /** It ends with so many steps more. */
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

  /** Ends it without a kill: the run is over. */
  retire(): void {
    this.#isAlive = false;
    for (const run of this.#onCut) run();
  }

  /** A step. Never resolves where the life ends with it. */
  async step(name: string): Promise<void> {
    this.count(name);
    if (!this.#isAlive) await NEVER;
  }

  /** The same where nothing can be waited for: whether the life goes on. */
  count(name: string): boolean {
    this.#left -= 1;
    if (this.#left <= 0) this.cut(name);
    return this.#isAlive;
  }

  /** Something of the machine, and the steps before and behind it. */
  async over<T>(name: string, ms: number, work: () => Promise<T>): Promise<T> {
    await this.step(`before ${name}`);
    try {
      return await this.#clock.during(ms, work);
    } finally {
      await this.step(`behind ${name}`);
    }
  }

  /** The clock as this life knows it. */
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
