import type { FastifyReply } from "fastify";
import { plain } from "./x-problem.ts";

const WINDOW_MS = 15 * 60_000;

/** Searches per app in 15 minutes. */
const MOST = 450;

/**
 * X's rate limit; its window begins with the first request. Every response reports it, and a 429 adds nothing to that.
 */
export class RequestLimits {
  readonly #wall: () => number;
  readonly #isOn: boolean;
  #window = { left: MOST, until: -Infinity };

  /** If off, requests are not counted and the headers always report the full allowance. */
  constructor(isOn: boolean, wall: () => number) {
    this.#isOn = isOn;
    this.#wall = wall;
  }

  /** Counts a request. Throws the 429. */
  take(reply: FastifyReply): void {
    const now = this.#wall();
    if (this.#window.until <= now) this.#window = { left: MOST, until: now + WINDOW_MS };
    const { left, until } = this.#window;
    const isOver = left === 0;
    if (this.#isOn && !isOver) this.#window.left -= 1;
    void reply.headers({
      "x-rate-limit-limit": String(MOST),
      "x-rate-limit-remaining": String(this.#window.left),
      "x-rate-limit-reset": String(Math.ceil(until / 1000)),
    });
    if (isOver) throw plain(429, "Too Many Requests");
  }
}
