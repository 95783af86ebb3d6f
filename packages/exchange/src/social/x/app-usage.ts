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

/** Price of a post in thousandths of a dollar. */
const POST_MILLS = 5;
const MAX_DAYS = 40;

/** Reads of a UTC day and their price at X. */
export interface DayUsage {
  /** YYYY-MM-DD. */
  day: string;
  /** Requests, with or without results. */
  requests: number;
  posts_read: number;
  cost_usd: string;
}

/** Counts the posts returned. A post already returned on the same UTC day costs nothing. */
export class ReadMeter {
  readonly #wall: () => number;
  readonly #days = new Map<string, { requests: number; posts: Set<string> }>();

  /** `wall` is real time, ms: billing does not follow world time. */
  constructor(wall: () => number) {
    this.#wall = wall;
  }

  read(postIds: readonly string[]): void {
    const day = new Date(this.#wall()).toISOString().slice(0, 10);
    const usage = this.#days.get(day) ?? { requests: 0, posts: new Set<string>() };
    this.#days.set(day, usage);
    usage.requests += 1;
    for (const id of postIds) usage.posts.add(id);
    const [oldest] = this.#days.keys();
    if (this.#days.size > MAX_DAYS && oldest !== undefined) this.#days.delete(oldest);
  }

  /** Oldest day first, without days that have no request. */
  usage(): DayUsage[] {
    return [...this.#days].map(([day, { requests, posts }]) => {
      const mills = posts.size * POST_MILLS;
      const cost_usd = `${Math.floor(mills / 1000)}.${String(mills % 1000).padStart(3, "0")}`;
      return { day, requests, posts_read: posts.size, cost_usd };
    });
  }
}
