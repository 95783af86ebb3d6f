/** A clock of world time that can run at any speed, stand still, and jump forward. */
export class PaperClock {
  readonly #wall: () => number;
  #at: number;
  #since: number;
  #speed: number;

  /** `wall` is real time in ms; the clock starts at `startMs` and does `speed` ms a real ms. */
  constructor(wall: () => number, startMs: number, speed: number) {
    this.#wall = wall;
    this.#at = startMs;
    this.#since = wall();
    this.#speed = speed;
  }

  get speed(): number {
    return this.#speed;
  }

  /** World time, whole ms. */
  now(): number {
    return Math.floor(this.#at + (this.#wall() - this.#since) * this.#speed);
  }

  /** Goes on from now at another speed; 0 stands still. */
  setSpeed(speed: number): void {
    this.#at = this.now();
    this.#since = this.#wall();
    this.#speed = speed;
  }

  /** Goes on from another moment. Never back: what has happened has happened. */
  jumpTo(ms: number): void {
    this.#at = Math.max(ms, this.now());
    this.#since = this.#wall();
  }
}
