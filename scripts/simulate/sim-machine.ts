import { createRequire, syncBuiltinESMExports } from "node:module";
import { matchesGlob } from "node:path";
import type { SimClock } from "./sim-clock.ts";

/** Simulated substitutes for the machine's time and randomness during a run. */
export type SimMachine = {
  readonly clock: SimClock;
  /** Time according to the service's machine (Unix ms). */
  readonly now: () => number;
  readonly random: () => number;
};

const require = createRequire(import.meta.url);
const promises = require("node:timers/promises") as { setTimeout: unknown };
const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  elapse: promises.setTimeout as (ms?: number, value?: unknown, more?: { signal?: AbortSignal }) => Promise<unknown>,
  now: Date.now,
  random: Math.random,
  timeout: AbortSignal.timeout.bind(AbortSignal),
};

let machine: SimMachine | undefined;
let isGoing = false;

/** Makes the process use this simulated machine from now on; `undefined` restores the real one. */
export function liveOn(next: SimMachine | undefined): void {
  machine = next;
  isGoing = next !== undefined;
}

/** Whether simulated time is in force now. */
export const isSimulated = (): boolean => isGoing;

/** Runs work during which simulated time is paused and real timers are in force. */
export async function aside<T>(work: () => Promise<T>): Promise<T> {
  isGoing = false;
  try {
    return await work();
  } finally {
    isGoing = machine !== undefined;
  }
}

/** A timer of the simulated clock with the interface that callers use. */
class SimTimer {
  readonly #clock: SimClock;
  readonly #ms: number;
  readonly #run: () => void;
  readonly #isRepeated: boolean;
  #cancel: () => void = () => undefined;

  constructor(clock: SimClock, ms: number, run: () => void, isRepeated: boolean) {
    this.#clock = clock;
    this.#ms = Math.max(1, Number.isFinite(ms) ? ms : 1);
    this.#run = run;
    this.#isRepeated = isRepeated;
    this.refresh();
  }

  refresh(): this {
    this.#cancel();
    this.#cancel = this.#clock.after(this.#ms, () => {
      if (this.#isRepeated) this.refresh();
      this.#run();
    });
    return this;
  }

  close(): void {
    this.#cancel();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }
}

/**
 * Longest real timer: a longer one would fire at once, repeatedly. The records have a timer that is set in real time
 * but checked by the simulated clock.
 */
const MAX_MS = 2_147_483_647;

type Handler = (...given: unknown[]) => void;

const starting =
  (begin: typeof setTimeout | typeof setInterval, isRepeated: boolean) =>
  (run: Handler, ms = 0, ...given: unknown[]): unknown =>
    isGoing && machine !== undefined
      ? new SimTimer(machine.clock, ms, () => run(...given), isRepeated)
      : begin(run, Math.min(ms, MAX_MS), ...given);

const ending =
  (end: (timer: never) => void) =>
  (timer: unknown): void =>
    timer instanceof SimTimer ? timer.close() : end(timer as never);

async function elapse(ms = 0, value?: unknown, more: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
  if (!isGoing || machine === undefined) return real.elapse(ms, value, more);
  await machine.clock.sleep(ms, more.signal);
  return value;
}

function timeout(ms: number): AbortSignal {
  if (!isGoing || machine === undefined) return real.timeout(ms);
  const late = new AbortController();
  machine.clock.after(ms, () =>
    late.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
  );
  return late.signal;
}

/** Replaces the process's timers, clock and randomness with those of the simulated machine; call once. */
export function takeMachine(): void {
  // Node loads its glob matcher on first use, which would draw random numbers from the run.
  matchesGlob("a", "a");
  globalThis.setTimeout = Object.assign(starting(real.setTimeout, false), real.setTimeout);
  globalThis.setInterval = starting(real.setInterval, true) as typeof setInterval;
  globalThis.clearTimeout = ending(real.clearTimeout);
  globalThis.clearInterval = ending(real.clearInterval);
  Date.now = () => machine?.now() ?? real.now();
  Math.random = () => machine?.random() ?? real.random();
  AbortSignal.timeout = timeout;
  promises.setTimeout = elapse;
  syncBuiltinESMExports();
}
