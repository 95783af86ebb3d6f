/** A clock of world time that can run at any speed, pause, and jump forward. */
export class PaperClock {
  readonly #wall: () => number;
  #at: number;
  #since: number;
  #speed: number;

  /** `wall` is real time in ms; the clock starts at `startMs` and advances `speed` ms per real ms. */
  constructor(wall: () => number, startMs: number, speed: number) {
    this.#wall = wall;
    this.#at = startMs;
    this.#since = wall();
    this.#speed = speed;
  }

  get speed(): number {
    return this.#speed;
  }

  /** World time in whole ms. */
  now(): number {
    return Math.floor(this.#at + (this.#wall() - this.#since) * this.#speed);
  }

  /** Continues from now at another speed; 0 pauses the clock. */
  setSpeed(speed: number): void {
    this.#at = this.now();
    this.#since = this.#wall();
    this.#speed = speed;
  }

  /** Continues from another time. Never moves back, because past events cannot be undone. */
  jumpTo(ms: number): void {
    this.#at = Math.max(ms, this.now());
    this.#since = this.#wall();
  }
}
