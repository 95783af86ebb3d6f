import type { FastifyReply } from "fastify";
import { plain } from "./x-problem.ts";

const WINDOW_MS = 15 * 60_000;

/** Searches of an app in a quarter of an hour. */
const MOST = 450;

/** The limit of X, whose window begins with its first request. It is told with every answer; a 429 says no more. */
export class RequestLimits {
  readonly #wall: () => number;
  readonly #isOn: boolean;
  #window = { left: MOST, until: -Infinity };

  /** Off, requests are not counted: the headers say so much is left as there is. */
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
