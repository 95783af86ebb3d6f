import type { FastifyReply } from "fastify";
import type { Allowance } from "../access/allowances.ts";

/**
 * The bucket that decided, the account's ("burst") or the key's own ("key-burst"), as headers: the common x-ratelimit
 * ones and the pair of draft-ietf-httpapi-ratelimit-headers-10. Of `remaining` so many are accepted now; `reset` seconds later one more is.
 */
export function setRateHeaders(reply: FastifyReply, { of, limit, burst, remaining, nextSeconds }: Allowance): void {
  const window = Math.ceil((burst * 60) / limit);
  reply.header("x-ratelimit-limit", String(limit));
  reply.header("x-ratelimit-burst", String(burst));
  const name = of === "account" ? "burst" : "key-burst";
  setLeft(reply, { policy: `"${name}";q=${burst};w=${window}`, name, remaining, reset: Math.ceil(nextSeconds) });
}

/** What the question costs, in units of the bucket. */
export const setCostHeader = (reply: FastifyReply, units: number): void =>
  void reply.header("x-almanac-cost", String(units));

type AtOnce = { readonly name: string; readonly places: number; readonly waitSeconds: number };

/** In place of the bucket where an account or a key asks more at once than it may: of that its own requests decide, not time. */
export function setAtOnceHeaders(reply: FastifyReply, { name, places, waitSeconds }: AtOnce): void {
  const policy = `"${name}";q=${places};qu="concurrent-requests"`;
  setLeft(reply, { policy, name, remaining: 0, reset: waitSeconds });
}

type Left = { readonly policy: string; readonly name: string; readonly remaining: number; readonly reset: number };

function setLeft(reply: FastifyReply, { policy, name, remaining, reset }: Left): void {
  reply.header("x-ratelimit-remaining", String(remaining));
  reply.header("x-ratelimit-reset", String(reset));
  reply.header("ratelimit-policy", policy);
  reply.header("ratelimit", `"${name}";r=${remaining};t=${reset}`);
}
