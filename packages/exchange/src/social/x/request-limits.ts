import type { FastifyReply } from "fastify";
import { plain } from "./x-problem.ts";

const WINDOW_MS = 15 * 60_000;

/** Requests of an app in a quarter of an hour. */
const MOST = { search: 450, counts: 300 };

/** The limits of X, whose windows begin with their first request. They are told with every answer; a 429 says no more. */
export class RequestLimits {
  readonly #wall: () => number;
  readonly #isOn: boolean;
  readonly #windows = new Map<keyof typeof MOST, { left: number; until: number }>();

  /** Off, requests are not counted: the headers say so much is left as there is. */
  constructor(isOn: boolean, wall: () => number) {
    this.#isOn = isOn;
    this.#wall = wall;
  }

  /** Counts a request. Throws the 429. */
  take(endpoint: keyof typeof MOST, reply: FastifyReply): void {
    const now = this.#wall();
    const known = this.#windows.get(endpoint);
    const window = known !== undefined && known.until > now ? known : { left: MOST[endpoint], until: now + WINDOW_MS };
    this.#windows.set(endpoint, window);
    const isOver = window.left === 0;
    if (this.#isOn && !isOver) window.left -= 1;
    void reply.headers({
      "x-rate-limit-limit": String(MOST[endpoint]),
      "x-rate-limit-remaining": String(window.left),
      "x-rate-limit-reset": String(Math.ceil(window.until / 1000)),
    });
    if (isOver) throw plain(429, "Too Many Requests");
  }
}
