import { setImmediate as breathe } from "node:timers/promises";
import { EventHeap } from "../../packages/exchange/src/world/core/event-heap.ts";
import type { Clock } from "../../packages/server/src/ingest/clock.ts";

/** After this many idle turns of the event loop without machine work, running code is waiting for simulated time. */
const QUIET_CYCLES = 4;

const MONOTONIC_RATE = 1.000_001;

/** Action of an event; undefined once cancelled. */
type Due = { run: (() => void) | undefined };

/**
 * The clock of a simulated run. It advances from event to event, each once the work set off by the last one waits for
 * time again, and is paused while machine work (`during`) is pending: equal runs have equal orders of events.
 */
export class SimClock implements Clock {
  #now: number;
  readonly #events = new EventHeap<Due>();
  #working = 0;
  #rested: (() => void) | undefined;

  constructor(startMs: number) {
    this.#now = startMs;
  }

  readonly now = (): number => this.#now;
  /** As on a machine, in fractions and not at quite the rate of `now`. */
  readonly monotonicMs = (): number => this.#now * MONOTONIC_RATE;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    });

  /** Runs a function after this many ms; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void {
    const due: Due = { run };
    this.#events.push(this.#now + Math.max(0, Math.ceil(Number.isFinite(ms) ? ms : 0)), due);
    return () => void (due.run = undefined);
  }

  /** Runs machine work while time is paused. Its result arrives `ms` later, in the order in which work was begun. */
  async during<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const due = Promise.withResolvers<void>();
    let [isDue, isDone] = [false, false];
    this.after(ms, () => {
      isDue = true;
      if (isDone) due.resolve();
    });
    try {
      return await this.working(work);
    } finally {
      isDone = true;
      // The work itself waited for time, and ends later than planned.
      if (isDue) this.after(0, due.resolve);
      await due.promise;
    }
  }

  /** Pauses time until the work is done; its result arrives at once. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Runs a part of such work that itself waits for time. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#end();
    try {
      return await work();
    } finally {
      this.#working += 1;
    }
  }

  /** Advances event by event until then. */
  async runTo(ms: number): Promise<void> {
    for (;;) {
      await this.#quiet();
      if (this.#nextAt() > ms) break;
      this.#next();
    }
    this.#now = Math.max(this.#now, ms);
  }

  /** Advances at once: due events run late, and periodic ones run once. */
  async jump(ms: number): Promise<void> {
    await this.#quiet();
    this.#now += ms;
  }

  /** Advances until the work, which waits for time, is done. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = work.finally(() => (isDone = true));
    ended.catch(() => undefined);
    for (;;) {
      await this.#quiet();
      if (isDone) return ended;
      if (this.#nextAt() === Number.POSITIVE_INFINITY)
        throw new Error("nothing will happen any more, and the work is not done");
      this.#next();
    }
  }

  /** Time of the next event that was not cancelled. */
  #nextAt(): number {
    for (let next = this.#events.peek(); next !== undefined && next.run === undefined; next = this.#events.peek())
      this.#events.pop();
    return this.#events.nextAt();
  }

  #next(): void {
    this.#now = Math.max(this.#now, this.#nextAt());
    this.#events.pop()?.run?.();
  }

  #end(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#rested?.();
  }

  async #quiet(): Promise<void> {
    for (let turn = 0; turn < QUIET_CYCLES; turn += 1) {
      await breathe();
      if (this.#working === 0) continue;
      await new Promise<void>((resolve) => (this.#rested = resolve));
      turn = -1;
    }
  }
}
