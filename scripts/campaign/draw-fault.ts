import type { FaultDoor } from "../../packages/exchange/src/faults/fault-door.ts";
import type { FaultKind } from "../../packages/exchange/src/faults/fault.ts";
import { faultKinds } from "../../packages/exchange/src/faults/fault-kinds.ts";
import type { Random } from "./random.ts";
import type { FaultOrder } from "./run-plan.ts";

/** Fields that a venue might rename one day, by door; of rows, frames and results. */
const DRIFTING: Readonly<Partial<Record<FaultDoor, readonly (readonly [path: string, field: string])[]>>> = {
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

type Drawn = Omit<FaultOrder, "kind" | "door" | "after_seconds"> & Readonly<Record<string, unknown>>;
type Draw = (random: Random, seconds: number) => Drawn;

/** For about half of the faulty time at most, so that several faults meet and the service gets air between them. */
const lasting = (random: Random, seconds: number): number => random.whole(15, Math.max(20, Math.floor(seconds / 2)));

const shared: Draw = (random, seconds) => ({
  for_seconds: lasting(random, seconds),
  share: random.pick([1, 0.5, 0.3]),
});
const seldom: Draw = (random, seconds) => ({
  for_seconds: lasting(random, seconds),
  share: random.pick([0.3, 0.1, 0.05]),
});

const draws: Readonly<Record<FaultKind, Draw>> = {
  refuse: (random, seconds) => ({
    ...shared(random, seconds),
    ...(random.chance(0.5) ? { retry_after_seconds: random.whole(1, 8) } : {}),
    rpc_as: random.pick(["http", "json_rpc"]),
  }),
  fail: (random, seconds) => ({ ...shared(random, seconds), html: random.chance(0.4) }),
  hang: (random, seconds) => ({ ...seldom(random, seconds), for_seconds: random.whole(5, 25) }),
  slow: (random, seconds) => ({ ...shared(random, seconds), delay_ms: random.whole(100, 600), jitter_ms: 100 }),
  half_body: shared,
  garbage: shared,
  reset: shared,
  repeat_page: shared,
  skip_page: seldom,
  shuffle: shared,
  duplicate_rows: (random, seconds) => ({ ...shared(random, seconds), rows_share: random.pick([1, 0.3]) }),
  drift: shared,
  freeze: (random) => ({ for_seconds: random.whole(5, 60), share: random.pick([1, 0.5]) }),
  cut: (random, seconds) => ({
    for_seconds: lasting(random, seconds),
    every_seconds: random.whole(3, 20),
    ...(random.chance(0.5) ? { code: random.pick([1001, 1006 + 5, 1012]) } : {}),
  }),
  drop_frames: seldom,
  duplicate_frames: shared,
  reorder_frames: seldom,
  corrupt_frame: seldom,
  reorg: (random, seconds) => ({
    depth: random.chance(0.3) ? 32 : random.whole(1, 32),
    moved_share: random.pick([0.2, 0.5, 0]),
    dropped_share: random.pick([0.02, 0.1, 0]),
    ...(random.chance(0.5) ? { every_seconds: random.whole(8, 30), for_seconds: lasting(random, seconds) } : {}),
  }),
  lag: (random, seconds) => ({ for_seconds: lasting(random, seconds), blocks: random.whole(1, 12), share: 0.5 }),
  prune: (random, seconds) => ({ for_seconds: lasting(random, seconds), blocks: random.whole(64, 2000) }),
  skew: (random, seconds) => ({
    for_seconds: lasting(random, seconds),
    offset_seconds: random.pick([-5, 5, -60, 60, -3600, 3600]),
  }),
  restart: (random) => ({ down_seconds: random.whole(2, 12), count: 1 }),
};

/** One fault of a kind, on a door in use. Undefined where the kind has no such door. */
export function drawFault(
  random: Random,
  kind: FaultKind,
  doors: readonly FaultDoor[],
  seconds: number,
): FaultOrder | undefined {
  const [first, ...others] = faultKinds[kind].doors.filter((door) => doors.includes(door) && isDrifting(kind, door));
  if (first === undefined) return undefined;
  // A door that is seldom asked meets few faults.
  const busy = others.concat(first).filter((door) => door !== "clob");
  const door =
    random.chance(0.8) && busy[0] ? random.pick([busy[0], ...busy.slice(1)]) : random.pick([first, ...others]);
  const after_seconds = random.whole(0, Math.floor(seconds * 0.5));
  const order = { kind, door, after_seconds, ...draws[kind](random, seconds), ...driftOf(random, kind, door) };
  return order as FaultOrder;
}

const isDrifting = (kind: FaultKind, door: FaultDoor): boolean => kind !== "drift" || DRIFTING[door] !== undefined;

function driftOf(random: Random, kind: FaultKind, door: FaultDoor): Readonly<Record<string, unknown>> {
  const [first, ...others] = kind === "drift" ? (DRIFTING[door] ?? []) : [];
  if (first === undefined) return {};
  const [path, field] = random.pick([first, ...others]);
  return {
    path,
    field,
    change: random.pick(["rename", "remove", "retype", "null"]),
    rows_share: random.pick([1, 0.5, 0.1]),
  };
}
