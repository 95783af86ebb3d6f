import { wholeSeconds } from "./error-answers.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import { CallerError } from "../definition/errors.ts";
import { memoryAllowances, type Allowance, type Claimant } from "../access/allowances.ts";
import type { Caller, Pace } from "../access/caller.ts";
import { setCostHeader, setRateHeaders } from "./rate-headers.ts";

const BEARER = /^bearer[ \t]+([A-Za-z0-9._~+/-]{1,512}=*)[ \t]*$/i;

/** Extracts the token of an Authorization header; undefined if there is none or it is not a bearer token. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined || header.length > 600 ? undefined : BEARER.exec(header)?.[1];
}

const NO_TOKEN = "The request carries no valid API key; send Authorization: Bearer <API key>.";

/** Authenticates the caller and checks its rate before the body is read. Throws UNAUTHENTICATED and RATE_LIMITED. */
export function createAdmit(
  { verify }: Pick<Access, "verify">,
  charging: Charging,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === undefined ? undefined : await verify(token);
    if (caller === undefined) throw new CallerError("UNAUTHENTICATED", NO_TOKEN);
    request.state.caller = caller;
    await charging.admit(caller, request, reply);
  };
}

/** Charges requests to their callers' allowances; requests refused for the rate cost nothing. */
export type Charging = {
  /** Before a body is read: takes the first unit, which every query costs. Throws RATE_LIMITED. */
  readonly admit: (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Once the query is known: takes the remaining units, or returns the first one. A query never costs more than the
   * full bucket, so that each one can be afforded. Throws RATE_LIMITED.
   */
  readonly charge: (caller: Caller, units: number, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

/**
 * Only a query that has been read has a known cost and wait time, so some are read although no unit is left. A bucket
 * of refusals per caller bounds how many; it is local to this process, whose work it bounds.
 */
export function createCharging({ take, peek }: Pick<Access, "take" | "peek">, clock: () => number): Charging {
  const refusals = memoryAllowances(clock);
  return {
    admit: async (caller, request, reply) => {
      const refused = refusalsOf(caller);
      const before = await refusals.peek(refused);
      const allowance = before.allowed ? await take(caller) : await peek(caller);
      const isShort = before.allowed && !allowance.allowed;
      const room = isShort ? await refusals.take(refused) : before;
      if (!room.allowed) throw refuseUnread(reply, allowance, room.retryAfterSeconds);
      request.state.heldUnits = isShort ? 0 : 1;
      setRateHeaders(reply, allowance);
      setCostHeader(reply, 1);
    },
    charge: async (caller, units, { state }, reply) => {
      const whole = Math.min(units, caller.plan.burst, caller.keyPace?.burst ?? units);
      const held = state.heldUnits;
      state.isPriced = true;
      setCostHeader(reply, whole);
      if (whole === held) return;
      const allowance = await take(caller, whole, held);
      state.heldUnits = allowance.allowed ? whole : 0;
      setRateHeaders(reply, allowance);
      if (allowance.allowed) return;
      // A query read without a unit was already counted in `admit`.
      if (held > 0) await refusals.take(refusalsOf(caller));
      throw refuse(allowance, whole);
    },
  };
}

/** One more than the burst: a caller that waits as instructed is never refused because of earlier refusals. */
const refusalsOf = ({ keyId, accountId, plan, keyPace }: Caller): Claimant => ({
  keyId,
  accountId,
  plan: withOneMore(plan),
  keyPace: keyPace && withOneMore(keyPace),
});

const withOneMore = ({ requestsPerMinute, burst }: Pace): Pace => ({ requestsPerMinute, burst: burst + 1 });

function refuse({ of, limit, retryAfterSeconds }: Allowance, units: number): CallerError {
  const cost = units === 1 ? "" : `This request costs ${units} units. `;
  const message = `${cost}The ${of}'s ${limit} units a minute are used up; wait ${wholeSeconds(retryAfterSeconds)} seconds.`;
  return new CallerError("RATE_LIMITED", message, { retryAfterSeconds });
}

/** The cost is not known yet, so the message omits it. */
function refuseUnread(reply: FastifyReply, allowance: Allowance, roomSeconds: number): CallerError {
  const retryAfterSeconds = Math.max(allowance.retryAfterSeconds, roomSeconds);
  setRateHeaders(reply, { ...allowance, retryAfterSeconds });
  const message = `More requests were rate-limited than the ${allowance.of}'s burst; wait ${wholeSeconds(retryAfterSeconds)} seconds.`;
  return new CallerError("RATE_LIMITED", message, { retryAfterSeconds });
}
