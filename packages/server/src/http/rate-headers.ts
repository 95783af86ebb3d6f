import type { FastifyReply } from "fastify";
import type { Allowance, BucketAllowance } from "../access/bucket.ts";

/**
 * Sets the deciding bucket, the account's ("burst") or the key's own ("key-burst"), as the common x-ratelimit headers,
 * and both buckets, since a more expensive query may wait for the other one, as the pair of
 * draft-ietf-httpapi-ratelimit-headers-10. `remaining` units are available now; `reset` seconds later one more is, or
 * as many as a refused query needs.
 */
export function setRateHeaders(reply: FastifyReply, allowance: Allowance): void {
  reply.header("x-ratelimit-limit", String(allowance.limit));
  reply.header("x-ratelimit-burst", String(allowance.burst));
  setLeft(reply, [leftOf(allowance), ...(allowance.other ? [leftOf(allowance.other)] : [])]);
}

function leftOf({ of, limit, burst, remaining, nextSeconds, retryAfterSeconds }: BucketAllowance): Left {
  const name = of === "account" ? "burst" : "key-burst";
  const policy = `"${name}";q=${burst};w=${Math.ceil((burst * 60) / limit)}`;
  return { policy, name, remaining, reset: Math.ceil(retryAfterSeconds === 0 ? nextSeconds : retryAfterSeconds) };
}

/** The query's cost in units of the bucket. */
export const setCostHeader = (reply: FastifyReply, units: number): void =>
  void reply.header("x-almanac-cost", String(units));

type AtOnce = { readonly name: string; readonly places: number; readonly waitSeconds: number };

/**
 * Replaces the bucket headers if an account or key has too many concurrent requests: those requests, not time, decide
 * when it may send more.
 */
export function setAtOnceHeaders(reply: FastifyReply, { name, places, waitSeconds }: AtOnce): void {
  const policy = `"${name}";q=${places};qu="concurrent-requests"`;
  setLeft(reply, [{ policy, name, remaining: 0, reset: waitSeconds }]);
}

type Left = { readonly policy: string; readonly name: string; readonly remaining: number; readonly reset: number };

function setLeft(reply: FastifyReply, left: readonly [Left, ...Left[]]): void {
  reply.header("x-ratelimit-remaining", String(left[0].remaining));
  reply.header("x-ratelimit-reset", String(left[0].reset));
  reply.header("ratelimit-policy", left.map(({ policy }) => policy).join(", "));
  reply.header("ratelimit", left.map(({ name, remaining, reset }) => `"${name}";r=${remaining};t=${reset}`).join(", "));
}
