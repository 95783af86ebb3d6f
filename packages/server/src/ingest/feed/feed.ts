import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Call, Feed, Host } from "../../definition/connector.ts";
import { type Budget, type Priority, rpcRouteOf } from "../budget.ts";
import { type Clock, backoffMs } from "../clock.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { createLatencyWatch, type HostBreaker } from "./host-health.ts";
import { accept, type Park } from "./accept.ts";
import { askUpstream, pathOf, type Asking } from "./ask-upstream.ts";
import { openPool } from "./send.ts";
import { listen } from "./listen.ts";
import type { RawLog } from "../raw/raw-log.ts";
import { createRpcBatch, rpcReply, RpcError } from "./rpc-batch.ts";
import { UpstreamUnreachable } from "./upstream-errors.ts";
import type { Spending } from "../spending.ts";

export type FeedOptions = {
  readonly host: Host;
  /** Base of every path; may contain a path itself. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** The calling stream, for the log, the metrics and parked pages. */
  readonly stream: string;
  readonly priority: Priority;
  /** Range of a backfill (ISO). */
  readonly range?: { readonly from: string; readonly to: string };
  readonly log: Logger;
  readonly park: Park;
  readonly clock: Clock;
  /** Current venue time (Unix ms), used for times of frames and gaps; the machine's when absent. */
  readonly venueNow?: (() => number) | undefined;
  readonly signal: AbortSignal;
  readonly metrics: IngestMetrics;
  /** Set for a host that has one. */
  readonly breaker?: HostBreaker | undefined;
  /** Set for a host that bills; each call on it states its price. */
  readonly spending?: Spending | undefined;
  /** Sent with every call in addition to the host's own: a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Keeps every answered body as received; absent if none is kept. */
  readonly raw?: RawLog | undefined;
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs?: number;
  /** Default if neither the host nor the call sets it. */
  readonly maxBytes?: number;
  /** Attempts of one call before it throws. */
  readonly attempts?: number;
  readonly isSlow?: (route: string, latencyMs: number) => boolean;
};

const DEFAULTS = { timeoutMs: 20_000, attempts: 8 };
/** Codes that nodes use for "too many requests"; some use -32005 for a too wide range as well, so retries are few. */
const RPC_BUSY = new Set([-32005, -32016, 429]);
const RPC_ATTEMPTS = 3;
/** Maximum characters of a call as stored with a parked answer. */
const MAX_PATH = 1000;
const RPC_PACE = { firstMs: 500, maxMs: 5000 };

/** Access of one stream to one host, with its budget, retries and parking. See `Feed`. */
export function createFeed(options: FeedOptions): Feed {
  // Every call in flight listens to it; the budget bounds their number.
  setMaxListeners(0, options.signal);
  const asking: Asking = {
    ...DEFAULTS,
    dispatcher: options.dispatcher ?? openPool(options.baseUrl),
    isSlow: options.isSlow ?? createLatencyWatch(),
    ...options,
  };

  const call = async <T extends z.ZodType>(
    method: "GET" | "POST",
    what: Call,
    reply: T,
  ): Promise<z.output<T> | undefined> => {
    const answer = await askUpstream(asking, method, what);
    if (answer === undefined) return undefined;
    const { ifChanged } = what;
    const given = { route: what.route, path: pathOf(what), ...answer, ...(ifChanged ? { ifChanged } : {}) };
    return accept(asking, given, reply);
  };

  const rpcRoute = rpcRouteOf(options.host);
  const batch = createRpcBatch(options.host.name, async (body, cost) => {
    const requested: Call = { path: "", body, route: rpcRoute, cost };
    const answer = await askUpstream(asking, "POST", requested);
    // Callers that requested a range of blocks retry with a narrower one.
    if (answer?.over !== undefined)
      throw new UpstreamUnreachable(options.host.name, "", `the answer is ${answer.over}`);
    return answer === undefined ? [] : ((await accept(asking, { ...requested, ...answer }, rpcReply)) ?? []);
  });

  return {
    get: (what, reply) => call("GET", what, reply),
    post: (what, reply) => call("POST", what, reply),
    rpc: async (method, params, reply) => {
      const result = await patiently(asking, () => batch({ method, params }));
      const path = `${method} ${JSON.stringify(params)}`.slice(0, MAX_PATH);
      const accepted = await accept(
        asking,
        { route: rpcRoute, path, value: result, text: undefined, over: undefined },
        reply,
      );
      return accepted as z.output<typeof reply>;
    },
    listen: (what, frame, how) => listen(asking, what, frame, how),
  };
}

async function patiently<T>(asking: Asking, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof RpcError && RPC_BUSY.has(error.code);
      if (!isBusy || attempt + 1 >= RPC_ATTEMPTS) throw error;
      await asking.clock.sleep(backoffMs(attempt, RPC_PACE), asking.signal);
    }
  }
}
