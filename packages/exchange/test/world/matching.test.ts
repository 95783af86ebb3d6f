import { array, assert, boolean, constantFrom, integer, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import { CoreMarket } from "../../src/world/core/core-market.ts";
import type { CoreSink } from "../../src/world/core/core-sink.ts";
import type { EventPlan } from "../../src/world/core/event-plan.ts";
import { isBid, type Order } from "../../src/world/core/ladder.ts";
import type { Latent } from "../../src/world/core/latent.ts";
import { Purses } from "../../src/world/core/purses.ts";

const plan: EventPlan = {
  number: 1,
  kind: "binary",
  category: "politics",
  questions: 1,
  created: 0,
  start: 0,
  end: 1e9,
  answer_after: 0,
  disputed: false,
  voided: false,
  fee_rate: 400,
  fee_from: 0,
  tick: 10,
  pace: 1,
  pace_live: 1,
  variance: 0,
  variance_live: 0,
  jumps: 0,
  first: [0],
  spread: 100,
  depth: 100,
  lag: 1,
  error: 0.4,
  error_memory: 10,
  asset: null,
  minutes: 0,
};
const latent: Latent = { advance: () => {}, p: () => 0.5, wakeAt: () => Infinity, decide: () => [true] };
const WALLETS = 5;
const nothing = (): void => {};

interface Filled {
  taker: Order;
  maker: Order;
  size: number;
  yes: number;
}

function market(onFill: (filled: Filled) => void): { core: CoreMarket; purses: Purses; fees: () => number } {
  const purses = new Purses(WALLETS);
  for (let w = 0; w < WALLETS; w += 1) purses.deposit(w, 1_000_000_000);
  let fees = 0;
  const sink: CoreSink = {
    match: (_, match) => {
      fees += match.fee;
      for (let i = 0; i < match.count; i += 1) {
        const maker = match.makers[i] as Order;
        onFill({ taker: match.taker, maker, size: match.sizes[i] as number, yes: maker.yes });
      }
    },
    book: nothing,
    tick: nothing,
    created: nothing,
    closed: nothing,
    disputed: nothing,
    resolved: nothing,
    split: nothing,
    merge: nothing,
    convert: nothing,
    redeem: nothing,
    transfer: nothing,
    jump: nothing,
    done: nothing,
  };
  const core = new CoreMarket({ purses, sink, nextOrder: 1 }, 0, plan, 0, latent);
  core.open = true;
  return { core, purses, fees: () => fees };
}

const order = record({
  owner: nat(WALLETS - 1),
  outcome: constantFrom<0 | 1>(0, 1),
  buy: boolean(),
  yes: integer({ min: 30, max: 70 }).map((n) => n * 100),
  size: integer({ min: 500, max: 30_000 }),
  rests: boolean(),
  cancels: nat(9),
});

test("matching follows price, then time, never crosses or overdraws, and conserves cash and shares", () => {
  assert(
    property(array(order, { minLength: 5, maxLength: 120 }), (orders) => {
      const resting: Order[] = [];
      const fills: Filled[] = [];
      const { core, purses, fees } = market((filled) => {
        const takerBids = isBid(filled.taker);
        // No resting order with a better price, or an older one at the same price, may be passed over.
        for (const other of resting) {
          if (other.left === 0 || isBid(other) === takerBids || other === filled.maker) continue;
          if (other.owner === filled.taker.owner) continue;
          const better = takerBids ? other.yes < filled.yes : other.yes > filled.yes;
          expect(better, "a better price was passed over").toBe(false);
          if (other.yes === filled.yes) expect(other.id).toBeGreaterThan(filled.maker.id);
        }
        expect(takerBids ? filled.yes <= filled.taker.yes : filled.yes >= filled.taker.yes).toBe(true);
        fills.push(filled);
      });
      for (let w = 0; w < WALLETS; w += 1) core.split(0, w, 10_000);
      for (const [i, o] of orders.entries()) {
        const sent = core.place(i, o.owner, o.outcome, o.buy, o.yes, o.size, o.rests);
        if (sent !== undefined && sent.left > 0) resting.push(sent);
        const target = resting[o.cancels * 7];
        if (o.cancels === 3 && target !== undefined) core.cancel(target);
        const [bid, ask] = [core.bids.best(), core.asks.best()];
        if (bid !== undefined && ask !== undefined) expect(bid.price).toBeLessThan(ask.price);
      }
      let cash = 0;
      let [yes, no] = [0, 0];
      for (let w = 0; w < WALLETS; w += 1) {
        const position = core.position(w);
        expect(
          Math.min(position.yes - position.lockedYes, position.no - position.lockedNo, purses.free(w)),
        ).toBeGreaterThanOrEqual(0);
        cash += purses.cash[w] ?? 0;
        yes += position.yes;
        no += position.no;
      }
      expect(yes).toBe(core.yesSupply);
      expect(no).toBe(core.noSupply);
      expect(yes).toBe(no);
      expect(cash + fees() + yes * 10_000).toBe(WALLETS * 1_000_000_000);
      for (const side of [core.bids, core.asks]) {
        for (const level of side.levels) {
          expect(level.orders.reduce((sum, o) => sum + o.left, 0)).toBe(level.total);
          expect(level.total).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 300 },
  );
});
