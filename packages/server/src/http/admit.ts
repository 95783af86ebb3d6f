import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access, Allowance } from "../access/access.ts";
import type { Caller } from "../access/caller.ts";
import { CallerError } from "../definition/errors.ts";
import { setCostHeader, setRateHeaders } from "./rate-headers.ts";

const BEARER = /^bearer[ \t]+([A-Za-z0-9._~+/-]{1,512}=*)[ \t]*$/i;

/** The token of an Authorization header; undefined when there is none or it is not a bearer token. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined || header.length > 600 ? undefined : BEARER.exec(header)?.[1];
}

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

/** Takes the first unit of a question, which every one costs. Throws RATE_LIMITED. */
export async function requireAllowance(access: Access, caller: Caller, reply: FastifyReply): Promise<void> {
  setCostHeader(reply, 1);
  settle(await access.take(caller), reply);
}

/**
 * Takes the other units, once it is known what is asked. A question never costs more than the full bucket, so that
 * every one can be asked. Throws RATE_LIMITED.
 */
export async function chargeRest(access: Access, caller: Caller, reply: FastifyReply, units: number): Promise<void> {
  const whole = Math.min(units, caller.plan.burst, caller.keyPace?.burst ?? units);
  setCostHeader(reply, whole);
  if (whole === 1) return;
  const allowance = await access.take(caller, whole - 1);
  // Whoever asks again pays the first unit again.
  const retryAfterSeconds = Math.ceil((allowance.retryAfterSeconds + 60 / allowance.limit) * 1000) / 1000;
  settle(allowance.allowed ? allowance : { ...allowance, retryAfterSeconds }, reply, whole);
}

function settle(allowance: Allowance, reply: FastifyReply, units = 1): void {
  setRateHeaders(reply, allowance);
  if (allowance.allowed) return;
  const { of, limit, retryAfterSeconds } = allowance;
  const cost = units === 1 ? "" : `This question costs ${units} units. `;
  throw new CallerError(
    "RATE_LIMITED",
    `${cost}The ${of}'s ${limit} units a minute are used up; wait ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
