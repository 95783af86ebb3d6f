import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import type { Caller } from "../access/caller.ts";
import { CallerError } from "../definition/errors.ts";
import type { Answer, Ask, Asker, FormatType } from "../query/answer.ts";
import type { Waiter } from "../query/waiting.ts";
import { causeOf, modeOf } from "./error-answers.ts";
import type { Bounds } from "./bounds.ts";
import type { Charging } from "./admission.ts";
import { etagOf, matchesEtag, readWeightedList, type Weighted } from "./negotiation.ts";
import type { LimitReached, ConcurrencyLimits } from "./concurrency-limits.ts";
import { parseBody, readBody, requireJson } from "./request-body.ts";
import { setAtOnceHeaders } from "./rate-headers.ts";
import { sendAnswer } from "./send-answer.ts";
import { inTime } from "../definition/pacing.ts";

const OFFERED: readonly { readonly type: string; readonly format: FormatType | undefined }[] = [
  { type: "application/json", format: undefined },
  { type: "text/csv", format: "csv" },
  { type: "application/x-ndjson", format: "ndjson" },
  { type: "application/vnd.apache.parquet", format: "parquet" },
  { type: "application/vnd.apache.arrow.stream", format: "arrow" },
];

type Tagged = Pick<Answer, "etag" | "coverage">;
type Match = { readonly specificity: number; readonly range: Weighted };

/**
 * The format requested by Accept; undefined if JSON is as good as any, so that the body may decide, and if it names
 * only types not offered, as stream-reading programs do. Throws NOT_ACCEPTABLE if everything offered is refused.
 */
function negotiateFormat(accept: string | undefined): FormatType | undefined {
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept.trim() === "")
    return undefined;
  const ranges = readWeightedList(accept);
  const acceptable = OFFERED.flatMap((offer) => {
    const match = bestMatch(offer.type, ranges);
    return match === undefined || match.range.weight === 0 ? [] : [{ offer, match }];
  });
  acceptable.sort(
    (a, b) =>
      b.match.range.weight - a.match.range.weight ||
      b.match.specificity - a.match.specificity ||
      a.match.range.place - b.match.range.place,
  );
  const [best] = acceptable;
  if (best !== undefined) return best.offer.format;
  if (bestMatch("application/json", ranges)?.range.weight !== 0) return undefined;
  throw new CallerError(
    "NOT_ACCEPTABLE",
    `Accept excludes JSON and names no available format; use one of ${OFFERED.map((offer) => offer.type).join(", ")}.`,
  );
}

function bestMatch(type: string, ranges: readonly Weighted[]): Match | undefined {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  const order = [type, family, "*/*"];
  for (const [index, name] of order.entries()) {
    const range = ranges.find((one) => one.name === name);
    if (range !== undefined) return { specificity: order.length - index, range };
  }
  return undefined;
}

export type RetrieveOptions = {
  readonly ask: Ask;
  readonly access: Access;
  readonly charging: Charging;
  readonly concurrency: ConcurrencyLimits;
  readonly bounds: Bounds;
  readonly nameOf: ReadonlyMap<number, string>;
  readonly clock: () => number;
};

const SHED_WAIT_SECONDS = 1;
/** The limits' names in headers. */
const AT_ONCE = { "the account": "at-once", "the key": "key-at-once" } as const;

/** The endpoint, for an admitted request: media type, body (`readAs` converts older forms), query, answer. */
export function createRetrieve(
  options: RetrieveOptions,
  readAs: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (body) => body,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { ask, concurrency, bounds, nameOf } = options;
  const answering = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    requireJson(request.headers);
    const accept = negotiateFormat(request.headers.accept);
    const body = readAs(parseBody(await readBody(request.raw, bounds), bounds.maxNesting));
    noteAgent(request, body["agent_id"], nameOf);
    const caller = callerOf(request);
    const full = concurrency.acquire(caller);
    if (full !== undefined) throw shed(full, reply);
    const known = request.headers["if-none-match"];
    const hasAlready = known === undefined ? undefined : (answer: Tagged) => matchesEtag(known, etagOf(answer));
    const requested = (async () => ask(body, toAsker(options, request, reply), accept, hasAlready))();
    requested.then(concurrency.answered, concurrency.answered);
    void Promise.allSettled([requested, isSent(reply.raw)]).then(() => concurrency.release(caller));
    return inTime(requested, bounds.askTimeoutMs, outOfTime);
  };
  return async (request, reply) => {
    const [outcome] = await Promise.allSettled([answering(request, reply)]);
    // Keep a fault of ours for the log even if the rate limit replaces it in the answer.
    if (outcome.status === "rejected") request.state.cause = causeOf(outcome.reason);
    // A request that ends before it is priced costs one unit.
    if (!request.state.isPriced) await options.charging.charge(callerOf(request), 1, request, reply);
    if (outcome.status === "rejected") throw outcome.reason;
    return sendAnswer(outcome.value, request, reply, {
      now: options.clock(),
      compressAboveBytes: bounds.compressAboveBytes,
    });
  };
}

function callerOf({ state: { caller } }: FastifyRequest): Caller {
  if (caller === undefined) throw new TypeError("a request without a caller");
  return caller;
}

function shed({ of, places }: LimitReached, reply: FastifyReply): CallerError {
  const retry = { retryAfterSeconds: SHED_WAIT_SECONDS };
  if (of === "all")
    return new CallerError("UNAVAILABLE", "Too many requests are being answered now; try again shortly.", retry);
  setAtOnceHeaders(reply, { name: AT_ONCE[of], places, waitSeconds: SHED_WAIT_SECONDS });
  const message = `${places} requests of ${of} are being answered now; wait for one of them, or send fewer at once.`;
  return new CallerError("RATE_LIMITED", message, retry);
}

function noteAgent(request: FastifyRequest, agentId: unknown, nameOf: ReadonlyMap<number, string>): void {
  if (typeof agentId !== "number" || !Number.isSafeInteger(agentId)) return;
  request.state.agentId = agentId;
  request.state.dataset = nameOf.get(agentId) ?? "none";
}

function toAsker({ access, charging }: RetrieveOptions, request: FastifyRequest, reply: FastifyReply): Asker {
  const caller = callerOf(request);
  return {
    mayRead: (dataset) => access.mayRead(caller, dataset),
    maxPage: caller.plan.maxPage,
    lists: { most: caller.plan.maxList, plan: caller.plan.name },
    mode: modeOf(caller),
    account: caller.accountId,
    waiter: waiterFor(reply.raw),
    charge: (units) => charging.charge(caller, units, request, reply),
  };
}

/** Resolves when the response is sent or its connection has ended. */
const isSent = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once("finish", resolve).once("close", resolve);
  });

/** Disconnected when the connection ends, or when another answer was sent because time was up. */
const waiterFor = (response: ServerResponse): Waiter => ({
  onGone: (report) => {
    if (response.closed) report();
    else response.once("close", report);
  },
});

function outOfTime(): CallerError {
  return new CallerError("QUERY_TIMEOUT", "The query exceeded its time budget; request a narrower range.", {
    retryAfterSeconds: 5,
  });
}
