import { setMaxListeners } from "node:events";
import { Pool, type Dispatcher } from "undici";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Call, Feed, Host } from "../../definition/connector.ts";
import type { Budget, Priority } from "../budget.ts";
import type { Clock } from "../clock.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { createLatencyWatch } from "../latency-watch.ts";
import { askUpstream, pathOf, type Asking } from "./ask-upstream.ts";
import type { Park } from "./park.ts";
import { createRpcBatch, rpcReply } from "./rpc-batch.ts";
import { RpcError } from "./rpc-error.ts";
import { backoffMs } from "../backoff.ts";
import { UpstreamChanged } from "./upstream-changed.ts";
import { wrongShape } from "./wrong-shape.ts";

export type FeedOptions = {
  readonly host: Host;
  /** The address every path is put after; may hold a path of its own. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** Whose calls these are, for the log, the metrics and parked pages. */
  readonly stream: string;
  readonly priority: Priority;
  readonly log: Logger;
  readonly park: Park;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly metrics: IngestMetrics;
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** Attempts of one call before it throws for good. */
  readonly attempts?: number;
  readonly isSlow?: (route: string, latencyMs: number) => boolean;
};

const DEFAULTS = { timeoutMs: 20_000, maxBodyBytes: 64 * 1024 * 1024, attempts: 8 };
/** Codes by which nodes say "too many requests"; some use -32005 for a too wide range as well, so it is tried little. */
const RPC_BUSY = new Set([-32005, -32016, 429]);
const RPC_ATTEMPTS = 3;
const RPC_PACE = { firstMs: 500, mostMs: 5000 };

/** How one stream reaches one host. See `Feed`; the budget, the retries and the parking are in here. */
export function createFeed(options: FeedOptions): Feed {
  // Every call in flight listens to it; their number is bounded by the budget.
  setMaxListeners(0, options.signal);
  const asking: Asking = {
    ...DEFAULTS,
    dispatcher: options.dispatcher ?? new Pool(new URL(options.baseUrl).origin, { connections: 16 }),
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
    return accept(asking, what.route, pathOf(what), reply, answer.value, answer.text);
  };

  const rpcRoute = options.host.limits["rpc"] === undefined ? "all" : "rpc";
  const batch = createRpcBatch(options.host.name, async (body, cost) => {
    const reply = await call("POST", { path: "", body, route: rpcRoute, cost }, rpcReply);
    return reply ?? [];
  });

  return {
    get: (what, reply) => call("GET", what, reply),
    post: (what, reply) => call("POST", what, reply),
    rpc: async (method, params, reply) => {
      const result = await patiently(asking, () => batch({ method, params }));
      return accept(asking, rpcRoute, method, reply, result, undefined);
    },
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

async function accept<T extends z.ZodType>(
  asking: Asking,
  route: string,
  path: string,
  reply: T,
  value: unknown,
  text: string | undefined,
): Promise<z.output<T>> {
  const parsed = reply.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = { host: asking.host.name, route, path, ...wrongShape(parsed.error, value) };
  asking.metrics.changed.inc({ host: found.host, route, stream: asking.stream });
  try {
    await asking.park({ stream: asking.stream, ...found, body: text ?? JSON.stringify(value) ?? "" });
  } catch (error) {
    asking.log.error({ err: error, stream: asking.stream, path }, "a page of a wrong shape could not be parked");
  }
  throw new UpstreamChanged(found);
}
