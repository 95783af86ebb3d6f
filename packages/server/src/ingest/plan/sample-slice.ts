import type { Feed, Host, PullConnector, PullOptions } from "../../definition/connector.ts";
import { rpcRouteOf } from "../budget.ts";

/** Requests made on one route of a host: calls, and tokens of its documented limit. */
export type RouteUse = { readonly host: string; readonly route: string; readonly calls: number; readonly cost: number };

/** The effort of walking one slice of a past range. */
export type Sample = {
  readonly seconds: number;
  /** False if it was cut off at the maximum calls per sample. */
  readonly isWhole: boolean;
  /** Share of the slice walked, 0 to 1; undefined if the stream was cut off and does not report it. */
  readonly share: number | undefined;
  readonly uses: readonly RouteUse[];
  readonly rows: number;
  /** Gaps that the stream itself found upstream. */
  readonly gaps: readonly string[];
};

class Enough extends Error {}

/** Walks a slice with the stream's own code, counts its requests and discards its rows. */
export async function sampleSlice(
  connector: PullConnector,
  options: Omit<PullOptions, "cursor" | "range">,
  slice: { readonly from: number; readonly to: number },
  maxCalls: number,
): Promise<Sample> {
  const uses = new Map<string, { host: string; route: string; calls: number; cost: number }>();
  let calls = 0;
  const count = (host: Host, route: string, cost: number): void => {
    if (calls >= maxCalls) throw new Enough("the sample is large enough");
    calls += 1;
    const use = uses.get(`${host.name} ${route}`) ?? { host: host.name, route, calls: 0, cost: 0 };
    uses.set(`${host.name} ${route}`, { ...use, calls: use.calls + 1, cost: use.cost + cost });
  };
  const range = { from: new Date(slice.from).toISOString(), to: new Date(slice.to).toISOString() };
  const also = Object.fromEntries(
    (connector.also ?? []).map((host) => [host.name, metered(options.also[host.name], host, count)]),
  );
  const walked = connector.pull({
    ...options,
    cursor: undefined,
    range,
    also,
    feed: metered(options.feed, connector.host, count),
  });
  let rows = 0;
  let share: number | undefined;
  const gaps: string[] = [];
  let isWhole = true;
  try {
    for await (const batch of walked) {
      rows += batch.rows.reduce((sum, each) => sum + each.rows.length, 0);
      if (batch.gap) gaps.push(batch.gap.reason);
      share = shareOf(batch, slice) ?? share;
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    isWhole = false;
  }
  const seconds = (slice.to - slice.from) / 1000;
  return { seconds, isWhole, share: isWhole ? 1 : share, uses: [...uses.values()], rows, gaps };
}

type Count = (host: Host, route: string, cost: number) => void;

function metered(feed: Feed | undefined, host: Host, count: Count): Feed {
  if (feed === undefined) throw new TypeError(`${host.name} has no feed`);
  return {
    ...feed,
    get: async (call, reply) => (count(host, call.route, call.cost ?? 1), feed.get(call, reply)),
    post: async (call, reply) => (count(host, call.route, call.cost ?? 1), feed.post(call, reply)),
    rpc: async (method, params, reply) => (count(host, rpcRouteOf(host), 1), feed.rpc(method, params, reply)),
  };
}

function shareOf(
  { reached, since }: { readonly reached?: string; readonly since?: string },
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  if (reached !== undefined) return Math.min(1, Math.max(0, (Date.parse(reached) - from) / (to - from)));
  // A forward walk may report its start with every batch.
  if (since === undefined || Date.parse(since) <= from) return undefined;
  return Math.min(1, Math.max(0, (to - Date.parse(since)) / (to - from)));
}
