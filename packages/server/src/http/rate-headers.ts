import type { FastifyReply } from "fastify";
import type { Allowance } from "../access/allowances.ts";

/** The caller's allowance as headers: the common x-ratelimit trio and the IETF pair. */
export function setRateHeaders(reply: FastifyReply, allowance: Allowance): void {
  const { limit, remaining } = allowance;
  const reset = Math.ceil(allowance.resetSeconds);
  reply.header("x-ratelimit-limit", String(limit));
  reply.header("x-ratelimit-remaining", String(remaining));
  reply.header("x-ratelimit-reset", String(reset));
  reply.header("ratelimit-policy", `"minute";q=${limit};w=60`);
  reply.header("ratelimit", `"minute";r=${remaining};t=${reset}`);
}
