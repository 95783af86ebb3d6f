import type { Random } from "../campaign/random.ts";

/** When the disk of a run is full: from some moment on for some time, for a share of what is written. */
export type FullDisk = { readonly afterSeconds: number; readonly forSeconds: number; readonly share: number };

/** The disk as it is now. */
export class DiskMood {
  readonly #full: readonly FullDisk[];
  readonly #random: Random;
  readonly #now: () => number;
  #fromMs = Number.POSITIVE_INFINITY;

  constructor(full: readonly FullDisk[], random: Random, now: () => number) {
    this.#full = full;
    this.#random = random;
    this.#now = now;
  }

  /** The seconds of the plan count from here. */
  begin(): void {
    this.#fromMs = this.#now();
  }

  /** There is room from now on. */
  end(): void {
    this.#fromMs = Number.POSITIVE_INFINITY;
  }

  /** Whether this write finds no room. */
  isFull(): boolean {
    const seconds = (this.#now() - this.#fromMs) / 1000;
    const full = this.#full.find(({ afterSeconds, forSeconds }) => {
      return seconds >= afterSeconds && seconds < afterSeconds + forSeconds;
    });
    return full !== undefined && this.#random.chance(full.share);
  }
}
