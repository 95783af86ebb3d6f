import type { Random } from "../campaign/random.ts";
import type { SimClock } from "./sim-clock.ts";

type Spell = { readonly afterSeconds: number; readonly forSeconds: number };

/** When the disk of a run is full: from some moment on for some time, for a share of what is written. */
export type FullDisk = Spell & { readonly share: number };

/** The clock of the service's machine is so far ahead (ms, or behind) for some time, until it is put right. */
export type ClockJump = Spell & { readonly aheadMs: number };

type Spells = { readonly fullDisks: readonly FullDisk[]; readonly clockJumps: readonly ClockJump[] };

/** The disk and the clock of the service's machine, which have their bad spells. */
export class MachineMood {
  readonly #clock: SimClock;
  readonly #random: Random;
  readonly #plan: Spells;
  #fromMs = Number.POSITIVE_INFINITY;

  constructor(clock: SimClock, plan: Spells, random: Random) {
    this.#clock = clock;
    this.#plan = plan;
    this.#random = random;
  }

  /** The seconds of the plan count from here. */
  begin(): void {
    this.#fromMs = this.#clock.now();
  }

  /** There is room, and the clock is right, from now on. */
  end(): void {
    this.#fromMs = Number.POSITIVE_INFINITY;
  }

  /** Whether this write finds no room. */
  isFull(): boolean {
    const full = this.#current(this.#plan.fullDisks);
    return full !== undefined && this.#random.chance(full.share);
  }

  /** What the service's machine says that it is: the world's time, but for the jumps of a run. */
  readonly now = (): number => this.#clock.now() + (this.#current(this.#plan.clockJumps)?.aheadMs ?? 0);

  #current<T extends Spell>(spells: readonly T[]): T | undefined {
    const seconds = (this.#clock.now() - this.#fromMs) / 1000;
    return spells.find(({ afterSeconds, forSeconds }) => {
      return seconds >= afterSeconds && seconds < afterSeconds + forSeconds;
    });
  }
}
