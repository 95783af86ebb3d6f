import type { ServedExchange } from "../../packages/exchange/src/serve.ts";
import { faultPlan } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { FaultPlanInput } from "../../packages/exchange/src/faults/fault-plan.ts";
import type { FaultOrder } from "./run-plan.ts";

/** What came of a plan's faults. */
export type FaultCounts = {
  /** Kind of fault → how often it really changed something. */
  readonly injected: Readonly<Record<string, number>>;
  /** Kind of fault → how many of the plan, and how many of them struck. */
  readonly strikes: Readonly<Record<string, { readonly planned: number; readonly struck: number }>>;
};

/** A fault that found nothing is set anew, at full strength, at most so often. */
const MOST_AGAIN = 3;
/** Of the machine's time. */
const AGAIN_SECONDS = 8;
/** On a door of websockets alone these meet connections that are made anew: they are cut then. */
const OF_HANDSHAKES: ReadonlySet<string> = new Set(["refuse", "fail", "hang", "reset"]);
const SOCKETS: ReadonlySet<unknown> = new Set(["ws", "rtds", "kalshi_ws"]);

type Watched = { readonly order: FaultOrder; places: number[]; dueSeconds: number };

/** The faults of a run: set, looked at, and set anew where their time went by without a strike. */
export class FaultWatch {
  readonly #exchange: Pick<ServedExchange, "faults">;
  readonly #seed: number;
  readonly #now: () => number;
  readonly #watched: Watched[];
  #placed: number;

  /** Puts the plan in force. `now`: the machine's clock, ms. */
  constructor(exchange: Pick<ServedExchange, "faults">, plan: FaultPlanInput, now: () => number) {
    this.#exchange = exchange;
    this.#seed = plan.seed ?? 1;
    this.#now = now;
    exchange.faults.set(faultPlan.parse(plan));
    const seconds = now() / 1000;
    this.#watched = plan.faults.map((order, place) => ({
      order,
      places: [place],
      dueSeconds: seconds + (order.after_seconds ?? 0) + (order.for_seconds ?? AGAIN_SECONDS),
    }));
    this.#placed = plan.faults.length;
  }

  /** Looks once. True when every fault of the plan struck. */
  look(): boolean {
    const waiting = this.#watched.filter((watched) => this.#timesOf(watched) === 0);
    const seconds = this.#now() / 1000;
    for (const watched of waiting) {
      if (seconds < watched.dueSeconds || watched.places.length > MOST_AGAIN) continue;
      watched.dueSeconds = seconds + AGAIN_SECONDS;
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

  #setAgain(watched: Watched): void {
    const order = { ...watched.order, after_seconds: 0, share: 1 };
    const strong = "rows_share" in order ? { ...order, rows_share: 1 } : order;
    const { kind, door } = order;
    const meetsHandshakes = OF_HANDSHAKES.has(kind) && SOCKETS.has(door);
    const cut = meetsHandshakes ? [{ kind: "cut", door, for_seconds: 1 } as const] : [];
    this.#exchange.faults.set(faultPlan.parse({ seed: this.#seed, faults: [strong, ...cut] }), true);
    watched.places = [...watched.places, this.#placed];
    this.#placed += 1 + cut.length;
  }
}
