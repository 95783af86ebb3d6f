import type { FaultEndpoint } from "../../packages/exchange/src/faults/fault-endpoint.ts";
import type { FaultKind } from "../../packages/exchange/src/faults/fault.ts";
import { faultKinds } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { Random } from "./random.ts";
import type { FaultOrder, FillSource } from "./run-plan.ts";

/** Fields that a venue might rename one day, by endpoint; of rows, frames and results. */
const DRIFTING: Readonly<Partial<Record<FaultEndpoint, readonly (readonly [path: string, field: string])[]>>> = {
  gamma: [
    ["/markets", "conditionId"],
    ["/markets", "clobTokenIds"],
    ["/events", "slug"],
  ],
  clob: [["/book", "bids"]],
  data: [
    ["/v2/trades", "price"],
    ["/v2/trades", "size"],
    ["/v2/trades", "transaction_hash"],
  ],
  ws: [
    ["price_change", "price_changes"],
    ["book", "bids"],
  ],
  rpc: [
    ["eth_getLogs", "data"],
    ["eth_getLogs", "topics"],
    ["eth_getBlockByNumber", "timestamp"],
  ],
  kalshi: [
    ["/trade-api/v2/markets/trades", "created_time"],
    ["/trade-api/v2/markets/trades", "trade_id"],
    ["/trade-api/v2/markets", "ticker"],
  ],
  kalshi_ws: [["orderbook_delta", "msg.price_dollars"]],
};

/** Lists that are requested continuously; of a node's results only logs are a list. */
const LISTS: Readonly<Partial<Record<FaultEndpoint, readonly string[]>>> = {
  gamma: ["/markets/keyset"],
  data: ["/v2/trades"],
  kalshi: ["/trade-api/v2/markets/trades", "/trade-api/v2/markets"],
  rpc: ["eth_getLogs"],
};
const OF_LISTS: ReadonlySet<FaultKind> = new Set(["repeat_page", "skip_page", "shuffle", "duplicate_rows"]);
/** Faults that need websocket frames; the service calls its node over HTTP. */
const OF_FRAMES: ReadonlySet<FaultKind> = new Set([
  "freeze",
  "cut",
  "drop_frames",
  "duplicate_frames",
  "reorder_frames",
  "corrupt_frame",
]);
/** On websocket-only endpoints these faults hit handshakes. */
const OF_HANDSHAKES: ReadonlySet<FaultKind> = new Set(["refuse", "fail", "hang", "reset"]);
const MAX_HANDSHAKES = 3;
/** Lists with few rows that are seldom walked completely: only a short page is followed by another one. */
const CATALOGUES: ReadonlySet<unknown> = new Set(["/markets/keyset", "/trade-api/v2/markets"]);
const MAX_CATALOGUE_ROWS = 4;
const SOCKETS: ReadonlySet<FaultEndpoint> = new Set(["ws", "rtds", "kalshi_ws"]);

type Drawn = Omit<FaultOrder, "kind" | "endpoint" | "after_seconds"> & Readonly<Record<string, unknown>>;
type Draw = (random: Random, seconds: number) => Drawn;

/** Lasts at most about half of the faulty time, so that several faults overlap and the service recovers in between. */
const lasting = (random: Random, seconds: number): number => random.whole(15, Math.max(20, Math.floor(seconds / 2)));

/** Stays in force until it struck this many times. */
const burst = (random: Random): Drawn => ({ count: random.whole(3, 30), share: random.pick([1, 1, 0.5]) });
const some = (random: Random): Drawn => ({ count: random.whole(1, 6), share: random.pick([1, 0.5]) });
const frames = (random: Random): Drawn => ({ count: random.whole(10, 200), share: random.pick([1, 0.3, 0.1]) });

const draws: Readonly<Record<FaultKind, Draw>> = {
  refuse: (random) => ({
    ...burst(random),
    ...(random.chance(0.5) ? { retry_after_seconds: random.whole(1, 8) } : {}),
    rpc_as: random.pick(["http", "json_rpc"]),
  }),
  fail: (random) => ({ ...burst(random), html: random.chance(0.4) }),
  hang: some,
  slow: (random) => ({ ...burst(random), delay_ms: random.whole(50, 300), jitter_ms: 50 }),
  half_body: burst,
  garbage: burst,
  reset: burst,
  repeat_page: (random) => ({ ...some(random), page_rows: random.whole(2, 12) }),
  skip_page: (random) => ({ ...some(random), page_rows: random.whole(2, 12) }),
  shuffle: burst,
  duplicate_rows: (random) => ({ ...burst(random), rows_share: random.pick([1, 0.3]) }),
  drift: burst,
  freeze: (random) => ({ for_seconds: random.whole(5, 60), share: random.pick([1, 0.5]) }),
  cut: (random, seconds) => ({
    for_seconds: lasting(random, seconds),
    every_seconds: random.whole(3, 20),
    ...(random.chance(0.5) ? { code: random.pick([1001, 1006 + 5, 1012]) } : {}),
  }),
  drop_frames: frames,
  duplicate_frames: frames,
  reorder_frames: frames,
  corrupt_frame: frames,
  reorg: (random, seconds) => ({
    depth: random.chance(0.3) ? 32 : random.whole(1, 32),
    moved_share: random.pick([0.2, 0.5, 0]),
    dropped_share: random.pick([0.02, 0.1, 0]),
    ...(random.chance(0.5) ? { every_seconds: random.whole(8, 30), for_seconds: lasting(random, seconds) } : {}),
  }),
  lag: (random) => ({ count: random.whole(3, 20), blocks: random.whole(1, 12), share: 0.5 }),
  prune: (random) => ({ count: random.whole(1, 8), blocks: random.whole(16, 200) }),
  skew: (random, seconds) => ({
    for_seconds: lasting(random, seconds),
    offset_seconds: random.pick([-5, 5, -60, 60, -3600, 3600]),
  }),
  restart: (random) => ({ down_seconds: random.whole(2, 12), count: 1 }),
};

export type Scenery = {
  readonly endpoints: readonly FaultEndpoint[];
  readonly source: FillSource;
  /** The faulty period: start and length. */
  readonly fromSeconds: number;
  readonly seconds: number;
};

/** One fault of a kind, on an endpoint in use. Undefined if the kind has no such endpoint. */
export function drawFault(random: Random, kind: FaultKind, scenery: Scenery): FaultOrder | undefined {
  const { endpoints, source, seconds } = scenery;
  const [first, ...others] = faultKinds[kind].endpoints.filter(
    (endpoint) => endpoints.includes(endpoint) && canStrike(kind, endpoint, source),
  );
  if (first === undefined) return undefined;
  // An endpoint that is seldom requested meets few faults.
  const busy = others.concat(first).filter((endpoint) => endpoint !== "clob");
  const endpoint =
    random.chance(0.8) && busy[0] ? random.pick([busy[0], ...busy.slice(1)]) : random.pick([first, ...others]);
  const isOverEarly = isEarly(kind, endpoint, source);
  const after = isOverEarly ? 0 : scenery.fromSeconds + random.whole(0, Math.floor(seconds * 0.5));
  const place = { ...listOf(random, kind, endpoint), ...driftOf(random, kind, endpoint) };
  const drawn = { kind, endpoint, after_seconds: after, ...draws[kind](random, seconds), ...place } as FaultOrder;
  const order = ofCatalogue(drawn);
  // Handshake retries back off: more failures would leave other faults of the endpoint no connection.
  const count = SOCKETS.has(endpoint) ? Math.min(MAX_HANDSHAKES, order.count ?? Infinity) : Infinity;
  return OF_HANDSHAKES.has(kind) && count < Infinity ? { ...order, count } : order;
}

/** A catalogue is walked completely at the service's start: its page faults must be in force by then. */
function ofCatalogue(order: FaultOrder): FaultOrder {
  const { path } = order as { readonly path?: string };
  if (!("page_rows" in order) || !CATALOGUES.has(path)) return order;
  return { ...order, after_seconds: 0, page_rows: Math.min(MAX_CATALOGUE_ROWS, order.page_rows ?? Infinity) };
}

function canStrike(kind: FaultKind, endpoint: FaultEndpoint, source: FillSource): boolean {
  if (kind === "drift") return DRIFTING[endpoint] !== undefined;
  // With the Data API alone a row repeated within one response and two identical fills cannot be told apart.
  if (kind === "duplicate_rows" && endpoint === "data" && source === "data") return false;
  if (OF_LISTS.has(kind)) return LISTS[endpoint] !== undefined && faultKinds[kind].endpoints.includes(endpoint);
  return OF_FRAMES.has(kind) ? SOCKETS.has(endpoint) : true;
}

/** Faults whose requests end early: the node's during backfill, the Data API's once there is a node. */
const isEarly = (kind: FaultKind, endpoint: FaultEndpoint, source: FillSource): boolean =>
  kind === "prune" || (endpoint === "data" && source === "data_then_chain");

function listOf(random: Random, kind: FaultKind, endpoint: FaultEndpoint): Readonly<Record<string, unknown>> {
  const [first, ...others] = OF_LISTS.has(kind) ? (LISTS[endpoint] ?? []) : [];
  return first === undefined ? {} : { path: random.pick([first, ...others]) };
}

function driftOf(random: Random, kind: FaultKind, endpoint: FaultEndpoint): Readonly<Record<string, unknown>> {
  const [first, ...others] = kind === "drift" ? (DRIFTING[endpoint] ?? []) : [];
  if (first === undefined) return {};
  const [path, field] = random.pick([first, ...others]);
  return {
    path,
    field,
    change: random.pick(["rename", "remove", "retype", "null"]),
    rows_share: random.pick([1, 0.5, 0.1]),
  };
}
