import type { ServedExchange } from "../../packages/exchange/src/serve.ts";
import { faultPlan, type FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { FaultOrder } from "./run-plan.ts";

/** Outcome of a plan's faults. */
export type FaultCounts = {
  /** Kind of fault → number of times it changed something. */
  readonly injected: Readonly<Record<string, number>>;
  /** Kind of fault → how many were planned, and how many of them struck. */
  readonly strikes: Readonly<Record<string, { readonly planned: number; readonly struck: number }>>;
};

/** A fault that struck nothing is set again, at full strength, at most this often. */
const MAX_RETRIES = 8;
/** In machine time. */
const AGAIN_SECONDS = 12;
/** On websocket-only endpoints these faults hit new connections: existing ones are cut for them. */
const OF_HANDSHAKES: ReadonlySet<string> = new Set(["refuse", "fail", "hang", "reset"]);
const SOCKETS: ReadonlySet<unknown> = new Set(["ws", "rtds", "kalshi_ws"]);
/** Whole books are sent when a connection opens, and seldom after. */
const OF_A_BEGINNING: ReadonlySet<unknown> = new Set(["book"]);

/** These take effect when they begin, or never. */
const HAPPENS_ONCE: ReadonlySet<string> = new Set(["reorg", "restart", "cut"]);

type Watched = { readonly order: FaultOrder; places: number[]; dueSeconds: number };

/** The faults of a run: set, watched, and set again if their time passed without a strike. */
export class FaultWatch {
  readonly #exchange: Pick<ServedExchange, "faults">;
  readonly #seed: number;
  readonly #now: () => number;
  readonly #watched: Watched[];
  #placed = 0;

  /** Sets the faults that begin immediately. `now`: the machine's clock, ms. */
  constructor(exchange: Pick<ServedExchange, "faults">, plan: FaultPlanInput, now: () => number) {
    this.#exchange = exchange;
    this.#seed = plan.seed ?? 1;
    this.#now = now;
    this.#watched = plan.faults.map((order) => ({ order, places: [], dueSeconds: Infinity }));
    exchange.faults.clear();
    for (const watched of this.#watched) if (!isLater(watched.order)) this.#set(watched);
  }

  /** Sets the rest of the plan: faults that begin some seconds from now. */
  begin(): void {
    for (const watched of this.#watched) if (isLater(watched.order)) this.#set(watched);
  }

  /** Checks once. Returns true when every fault of the plan struck. */
  look(): boolean {
    const waiting = this.#watched.filter((watched) => this.#timesOf(watched) === 0);
    const seconds = this.#now() / 1000;
    for (const watched of waiting) {
      if (seconds < watched.dueSeconds || watched.places.length > MAX_RETRIES) continue;
      this.#setAgain(watched);
    }
    return waiting.length === 0;
  }

  counts(): FaultCounts {
    const injected: Record<string, number> = {};
    const strikes: Record<string, { planned: number; struck: number }> = {};
    for (const watched of this.#watched) {
      const { kind } = watched.order;
      const times = this.#timesOf(watched);
      injected[kind] = (injected[kind] ?? 0) + times;
      const sum = (strikes[kind] ??= { planned: 0, struck: 0 });
      sum.planned += 1;
      if (times > 0) sum.struck += 1;
    }
    return { injected, strikes };
  }

  #timesOf({ places }: Watched): number {
    const { faults } = this.#exchange.faults.status();
    return places.reduce((sum, place) => sum + (faults[place]?.injected ?? 0), 0);
  }

  #set(watched: Watched, order: FaultOrder = watched.order): void {
    this.#exchange.faults.set(faultPlan.parse({ seed: this.#seed, faults: [order] }), true);
    watched.places = [...watched.places, this.#placed];
    this.#placed += 1;
    const lasting = order === watched.order ? order.for_seconds : undefined;
    watched.dueSeconds = this.#now() / 1000 + (order.after_seconds ?? 0) + (lasting ?? AGAIN_SECONDS);
  }

  /** Sets a fault that is over, or only applied to a share, again at full strength; opens a connection if needed. */
  #setAgain(watched: Watched): void {
    const { order, places } = watched;
    const strong = { ...order, after_seconds: 0, share: 1, ...("rows_share" in order && { rows_share: 1 }) };
    const isInForce =
      order.for_seconds === undefined && !HAPPENS_ONCE.has(order.kind) && (places.length > 1 || isStrong(order));
    if (isInForce) watched.dueSeconds = this.#now() / 1000 + AGAIN_SECONDS;
    else this.#set(watched, strong);
    if (needsBeginning(order)) this.#cut(order.endpoint);
  }

  #cut(endpoint: FaultOrder["endpoint"]): void {
    this.#exchange.faults.set(faultPlan.parse({ faults: [{ kind: "cut", endpoint, for_seconds: 1 }] }), true);
    this.#placed += 1;
  }
}

function needsBeginning({ kind, endpoint, path }: FaultOrder): boolean {
  return SOCKETS.has(endpoint) && (OF_HANDSHAKES.has(kind) || OF_A_BEGINNING.has(path));
}

const isStrong = (order: FaultOrder): boolean =>
  (order.share ?? 1) === 1 && (!("rows_share" in order) || order.rows_share === 1);

const isLater = ({ after_seconds = 0 }: FaultOrder): boolean => after_seconds > 0;
