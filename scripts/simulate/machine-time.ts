import type { SimClock } from "./sim-clock.ts";

/** The clock of the service's machine is so far ahead (ms, or behind) for some time, until it is put right. */
export type ClockJump = { readonly afterSeconds: number; readonly forSeconds: number; readonly aheadMs: number };

/** What the service's machine says that it is: the world's time, but for the jumps of a run. */
export class MachineTime {
  readonly #clock: SimClock;
  readonly #jumps: readonly ClockJump[];
  #fromMs = Number.POSITIVE_INFINITY;

  constructor(clock: SimClock, jumps: readonly ClockJump[]) {
    this.#clock = clock;
    this.#jumps = jumps;
  }

  /** The seconds of the plan count from here. */
  begin(): void {
    this.#fromMs = this.#clock.now();
  }

  /** It is right from now on. */
  end(): void {
    this.#fromMs = Number.POSITIVE_INFINITY;
  }

  readonly now = (): number => {
    const now = this.#clock.now();
    const seconds = (now - this.#fromMs) / 1000;
    const jump = this.#jumps.find(
      ({ afterSeconds, forSeconds }) => seconds >= afterSeconds && seconds < afterSeconds + forSeconds,
    );
    return now + (jump?.aheadMs ?? 0);
  };
}
