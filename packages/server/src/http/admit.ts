import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import type { Caller } from "../access/caller.ts";
import { CallerError } from "../definition/errors.ts";
import { bearerToken } from "./bearer-token.ts";
import { setRateHeaders } from "./rate-headers.ts";

const NO_TOKEN = "The request carries no valid API key; send Authorization: Bearer <API key>.";

/** Before a body is read: who asks, then whether they may ask now. Throws UNAUTHENTICATED and RATE_LIMITED. */
export function createAdmit(access: Access): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === undefined ? undefined : await access.verify(token);
    if (caller === undefined) throw new CallerError("UNAUTHENTICATED", NO_TOKEN);
    request.visit.caller = caller;
    await requireAllowance(access, caller, reply);
  };
}

/** Takes one request from the caller's allowance. Throws RATE_LIMITED. */
export async function requireAllowance(access: Access, caller: Caller, reply: FastifyReply): Promise<void> {
  const allowance = await access.take(caller);
  setRateHeaders(reply, allowance);
  if (allowance.allowed) return;
  throw new CallerError(
    "RATE_LIMITED",
    `The key's ${allowance.limit} requests a minute are used up; wait ${allowance.retryAfterSeconds} seconds.`,
    { retryAfterSeconds: allowance.retryAfterSeconds },
  );
}
