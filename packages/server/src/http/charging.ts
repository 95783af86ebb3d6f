import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import { memoryAllowances, type Allowance, type Claimant } from "../access/allowances.ts";
import type { Caller, Pace } from "../access/caller.ts";
import { CallerError } from "../definition/errors.ts";
import { setCostHeader, setRateHeaders } from "./rate-headers.ts";

/** Takes what requests cost from their callers' allowances; what is refused for the rate costs nothing. */
export type Charging = {
  /** Before a body is read: takes the first unit, which every question costs. Throws RATE_LIMITED. */
  readonly admit: (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Once it is known what is asked: takes the other units, or gives the first one back. A question never costs more
   * than the full bucket, so that every one can be asked. Throws RATE_LIMITED.
   */
  readonly charge: (caller: Caller, units: number, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

/**
 * Only a question that was read can be told when it will be accepted, so some are read though no unit is left. How many
 * is bounded for each caller, as its units are, by a bucket of refusals: in this process, whose work it bounds.
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
      request.visit.heldUnits = isShort ? 0 : 1;
      setRateHeaders(reply, allowance);
      setCostHeader(reply, 1);
    },
    charge: async (caller, units, { visit }, reply) => {
      const whole = Math.min(units, caller.plan.burst, caller.keyPace?.burst ?? units);
      const held = visit.heldUnits;
      visit.isPriced = true;
      setCostHeader(reply, whole);
      if (whole === held) return;
      const allowance = await take(caller, whole, held);
      visit.heldUnits = allowance.allowed ? whole : 0;
      setRateHeaders(reply, allowance);
      if (allowance.allowed) return;
      // One that was read without a unit is counted already.
      if (held > 0) await refusals.take(refusalsOf(caller));
      throw refuse(allowance, whole);
    },
  };
}

/** One more than the burst: a caller that waits as it is told is never refused for having been refused. */
const refusalsOf = ({ keyId, accountId, plan, keyPace }: Caller): Claimant => ({
  keyId,
  accountId,
  plan: withOneMore(plan),
  keyPace: keyPace && withOneMore(keyPace),
});

const withOneMore = ({ requestsPerMinute, burst }: Pace): Pace => ({ requestsPerMinute, burst: burst + 1 });

function refuse({ of, limit, retryAfterSeconds }: Allowance, units: number): CallerError {
  const cost = units === 1 ? "" : `This question costs ${units} units. `;
  const message = `${cost}The ${of}'s ${limit} units a minute are used up; wait ${retryAfterSeconds} seconds.`;
  return new CallerError("RATE_LIMITED", message, { retryAfterSeconds });
}

/** What it costs is not known, so nothing is said of it. */
function refuseUnread(reply: FastifyReply, allowance: Allowance, roomSeconds: number): CallerError {
  const retryAfterSeconds = Math.max(allowance.retryAfterSeconds, roomSeconds);
  setRateHeaders(reply, { ...allowance, retryAfterSeconds });
  const message = `More questions were refused for the rate than the ${allowance.of}'s burst; wait ${retryAfterSeconds} seconds.`;
  return new CallerError("RATE_LIMITED", message, { retryAfterSeconds });
}
