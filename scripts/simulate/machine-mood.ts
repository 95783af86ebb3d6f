import type { Random } from "../campaign/random.ts";
import type { SimClock } from "./sim-clock.ts";

type Spell = { readonly afterSeconds: number; readonly forSeconds: number };

/** A period in which the disk is full for a share of the writes. */
export type FullDisk = Spell & { readonly share: number };

/** A period in which the service's machine clock is ahead by this much (ms; negative: behind). */
export type ClockJump = Spell & { readonly aheadMs: number };

type Spells = { readonly fullDisks: readonly FullDisk[]; readonly clockJumps: readonly ClockJump[] };

/** Disk and clock faults of the service's machine. */
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

  /** Starts the plan's seconds now. */
  begin(): void {
    this.#fromMs = this.#clock.now();
  }

  /** From now on the disk has room and the clock is right. */
  end(): void {
    this.#fromMs = Number.POSITIVE_INFINITY;
  }

  /** Whether this write finds the disk full. */
  isFull(): boolean {
    const full = this.#current(this.#plan.fullDisks);
    return full !== undefined && this.#random.chance(full.share);
  }

  /** Time according to the service's machine: the world's time plus the run's clock jump. */
  readonly now = (): number => this.#clock.now() + (this.#current(this.#plan.clockJumps)?.aheadMs ?? 0);

  #current<T extends Spell>(spells: readonly T[]): T | undefined {
    const seconds = (this.#clock.now() - this.#fromMs) / 1000;
    return spells.find(({ afterSeconds, forSeconds }) => {
      return seconds >= afterSeconds && seconds < afterSeconds + forSeconds;
    });
  }
}
