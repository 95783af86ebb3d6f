import { describe, expect, test } from "vitest";
import { smallWorld } from "./small-world.ts";

/** Balances rebuilt from the happenings alone: shares by wallet and token, cash by wallet. */
function replay(happenings: ReturnType<typeof smallWorld>["happenings"]) {
  const shares = new Map<string, number>();
  const cash = new Map<string, number>();
  const sum = { collateral: 0, fees: 0 };
  let lowest = 0;
  const move = (wallet: string, token: string, amount: number): void => {
    const key = `${wallet} ${token}`;
    const next = (shares.get(key) ?? 0) + amount;
    lowest = Math.min(lowest, next);
    shares.set(key, next);
  };
  const pay = (wallet: string, amount: number): void => {
    cash.set(wallet, (cash.get(wallet) ?? 0) + amount);
  };
  for (const h of happenings) {
    if (h.kind === "match") {
      for (const leg of [...h.makers, h.taker]) {
        const sign = leg.side === "BUY" ? 1 : -1;
        // Shares that a match mints or merges come in and go out at once, so sells are taken after buys.
        move(leg.wallet, leg.token_id, sign * leg.shares_micro);
        pay(leg.wallet, -sign * leg.usd_micro - leg.fee_micro);
        sum.fees += leg.fee_micro;
        if (leg.role === "maker" && leg.kind !== "complementary") {
          sum.collateral += (leg.kind === "mint" ? 1 : -1) * leg.shares_micro;
        }
      }
    } else if (h.kind === "split" || h.kind === "merge") {
      const sign = h.kind === "split" ? 1 : -1;
      for (const token of h.market.token_ids) move(h.wallet, token, sign * h.amount_micro);
      pay(h.wallet, -sign * h.amount_micro);
      sum.collateral += sign * h.amount_micro;
    } else if (h.kind === "convert") {
      for (const market of h.event.markets) {
        const given = Math.floor(h.index_set / 2 ** market.question_index) % 2 === 1;
        if (given) move(h.wallet, market.token_ids[1], -h.amount_micro);
        else move(h.wallet, market.token_ids[0], h.amount_micro);
      }
      pay(h.wallet, h.usd_out_micro);
      sum.collateral -= h.usd_out_micro;
    } else if (h.kind === "redeem") {
      for (const i of [0, 1] as const) move(h.wallet, h.market.token_ids[i], -h.amounts_micro[i]);
      pay(h.wallet, h.payout_micro);
      sum.collateral -= h.payout_micro;
    } else if (h.kind === "transfer") {
      for (const i of [0, 1] as const) {
        move(h.wallet, h.market.token_ids[i], -h.amounts_micro[i]);
        move(h.to_wallet, h.market.token_ids[i], h.amounts_micro[i]);
      }
    }
  }
  return { shares, cash, sum, lowest };
}

describe("conservation of shares and cash", () => {
  // Long enough that a wallet converts every market of an event.
  const { world, happenings } = smallWorld({ days: 0.5, events: 60, wallets: 300 });
  const { shares, cash, sum, lowest } = replay(happenings);

  test("no wallet ever holds a negative balance", () => {
    expect(lowest).toBe(0);
  });

  test("cash paid out by wallets equals fees plus collateral still held, to the micro dollar", () => {
    let total = 0;
    for (const amount of cash.values()) total += amount;
    expect(-total).toBe(sum.fees + sum.collateral);
    expect(sum.fees).toBeGreaterThan(0);
  });

  test("the true cash PnL of a wallet is the sum of its happenings", () => {
    for (const truth of world.walletTruth()) expect(truth.cash_pnl_micro).toBe(cash.get(truth.address) ?? 0);
  });

  test("over all wallets, realized PnL less fees less the cost of holdings equals cash", () => {
    let booked = 0;
    for (const wallet of world.polymarket.wallets) {
      for (const { realized_pnl_micro, fees_micro, cost_micro } of world.polymarket.holdingsOf(wallet.address))
        booked += realized_pnl_micro - fees_micro - cost_micro;
    }
    const total = [...cash.values()].reduce((a, amount) => a + amount, 0);
    expect(booked).toBe(total);
    const converted = happenings.flatMap((h) => (h.kind === "convert" ? [h] : []));
    const given = converted.map(
      (h) => h.event.markets.filter((m) => Math.floor(h.index_set / 2 ** m.question_index) % 2 === 1).length,
    );
    expect(converted.some(({ event }, index) => given[index] === event.markets.length)).toBe(true);
    expect(converted.some(({ event }, index) => given[index] !== event.markets.length)).toBe(true);
  });

  test("holdings are the sum of the happenings, and outstanding YES and NO shares equal open interest", () => {
    const outstanding = new Map<string, number>();
    for (const wallet of world.polymarket.wallets) {
      for (const holding of world.polymarket.holdingsOf(wallet.address)) {
        const token = holding.market.token_ids[holding.outcome];
        expect(holding.shares_micro).toBe(shares.get(`${wallet.address} ${token}`) ?? 0);
        outstanding.set(token, (outstanding.get(token) ?? 0) + holding.shares_micro);
      }
    }
    for (const market of world.polymarket.markets) {
      if (market.neg_risk || market.resolved_ms !== null) continue;
      const [yes, no] = market.token_ids;
      expect(outstanding.get(yes) ?? 0).toBe(outstanding.get(no) ?? 0);
      expect(market.open_interest_micro).toBe(outstanding.get(yes) ?? 0);
    }
  });

  test("collateral equals the remaining claims exactly", () => {
    let claims = 0;
    const held = new Map<string, number>();
    for (const { address } of world.polymarket.wallets) {
      for (const { market, outcome, shares_micro } of world.polymarket.holdingsOf(address)) {
        const token = market.token_ids[outcome];
        held.set(token, (held.get(token) ?? 0) + shares_micro);
      }
    }
    const counted = new Set<string>();
    for (const event of world.polymarket.events) {
      for (const market of event.markets) {
        for (const i of [0, 1] as const) {
          // Takes the first question of an unresolved event as true: any resolution must cost the same.
          const [yes, no] = market.payout_numerators ?? (market.question_index === 0 ? [1, 0] : [0, 1]);
          claims += ((held.get(market.token_ids[i]) ?? 0) * (i === 0 ? yes : no)) / (yes + no);
          counted.add(market.token_ids[i]);
        }
      }
    }
    expect(counted.size).toBe(world.polymarket.markets.length * 2);
    expect(sum.collateral).toBe(claims);
  });

  test("the makers' shares and dollars of a match add up to the taker's", () => {
    const wrong = world.polymarket.matches.filter(({ taker, makers }) => {
      const made = makers.reduce((a, leg) => a + leg.shares_micro, 0);
      const usd = makers.reduce(
        (a, leg) => a + (leg.kind === "complementary" ? leg.usd_micro : leg.shares_micro - leg.usd_micro),
        0,
      );
      const priced = makers.every((leg) => leg.usd_micro === (leg.price_e4 * leg.shares_micro) / 10_000);
      return made !== taker.shares_micro || usd !== taker.usd_micro || !priced;
    });
    expect(wrong.length).toBe(0);
  });
});
