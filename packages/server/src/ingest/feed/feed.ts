import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Call, Feed, Host } from "../../definition/connector.ts";
import type { Budget, Priority } from "../budget.ts";
import type { Clock } from "../clock.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { createLatencyWatch } from "../latency-watch.ts";
import { accept } from "./accept.ts";
import { askUpstream, pathOf, type Asking } from "./ask-upstream.ts";
import type { HostBreaker } from "./breaker.ts";
import { openPool } from "./open-pool.ts";
import { listen } from "./listen.ts";
import type { Park } from "./park.ts";
import type { RawLog } from "../raw/raw-log.ts";
import { createRpcBatch, rpcReply, RpcError } from "./rpc-batch.ts";
import { UpstreamUnreachable } from "./upstream-errors.ts";
import { rpcRouteOf } from "../rpc-route.ts";
import { backoffMs } from "../backoff.ts";
import type { Spending } from "../spending.ts";

export type FeedOptions = {
  readonly host: Host;
  /** The address every path is put after; may hold a path of its own. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** Whose calls these are, for the log, the metrics and parked pages. */
  readonly stream: string;
  readonly priority: Priority;
  /** What a walk of the past goes over (ISO). */
  readonly range?: { readonly from: string; readonly to: string };
  readonly log: Logger;
  readonly park: Park;
  readonly clock: Clock;
  /** Now on the venue's clock (Unix ms), which moments of frames and gaps are on; the machine's when absent. */
  readonly venueNow?: (() => number) | undefined;
  readonly signal: AbortSignal;
  readonly metrics: IngestMetrics;
  /** Of a host that has one. */
  readonly breaker?: HostBreaker | undefined;
  /** Of a host that bills; a call on it says its price. */
  readonly spending?: Spending | undefined;
  /** Sent with every call beside the host's own: a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Keeps every answered body as it came; absent where none is kept. */
  readonly raw?: RawLog | undefined;
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs?: number;
  /** Where neither the host nor the call says. */
  readonly mostBytes?: number;
  /** Attempts of one call before it throws for good. */
  readonly attempts?: number;
  readonly isSlow?: (route: string, latencyMs: number) => boolean;
};

const DEFAULTS = { timeoutMs: 20_000, attempts: 8 };
/** Codes by which nodes say "too many requests"; some use -32005 for a too wide range as well, so it is tried little. */
const RPC_BUSY = new Set([-32005, -32016, 429]);
const RPC_ATTEMPTS = 3;
/** Of a call as it is written beside a parked answer. */
const MOST_PATH = 1000;
const RPC_PACE = { firstMs: 500, mostMs: 5000 };

/** How one stream reaches one host. See `Feed`; the budget, the retries and the parking are in here. */
export function createFeed(options: FeedOptions): Feed {
  // Every call in flight listens to it; their number is bounded by the budget.
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
    const asked: Call = { path: "", body, route: rpcRoute, cost };
    const answer = await askUpstream(asking, "POST", asked);
    // Whoever asked for a range of blocks asks for a narrower one.
    if (answer?.over !== undefined)
      throw new UpstreamUnreachable(options.host.name, "", `the answer is ${answer.over}`);
    return answer === undefined ? [] : ((await accept(asking, { ...asked, ...answer }, rpcReply)) ?? []);
  });

  return {
    get: (what, reply) => call("GET", what, reply),
    post: (what, reply) => call("POST", what, reply),
    rpc: async (method, params, reply) => {
      const result = await patiently(asking, () => batch({ method, params }));
      const path = `${method} ${JSON.stringify(params)}`.slice(0, MOST_PATH);
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
