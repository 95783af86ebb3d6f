import { describe, expect, test } from "vitest";
import type { LedgerKind, LedgerRow, Resolution } from "../../src/derivations/wallet/ledger-row.ts";
import { NOTHING_BEFORE } from "../../src/derivations/wallet/wallet-state.ts";
import { foldToRows, type WalletRows } from "../fixtures/fold-to-rows.ts";

const WALLET = `0x${"a".repeat(40)}`;
const CONDITION = `0x${"c".repeat(64)}`;
const [YES, NO] = ["1", "2"];
const FROM = "2026-01-01";
const START = Date.parse(FROM) / 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Dollars or shares in micro units. */
const m = (units: number): bigint => BigInt(Math.round(units * 1e6));

let log = 0;
type Given = Partial<Pick<LedgerRow, "token" | "condition" | "fee" | "sub" | "log">> & { at?: number };
function row(kind: LedgerKind, shares: number, usd: number, given: Given = {}): LedgerRow {
  log += 1;
  const { at = HOUR * log, ...more } = given;
  return {
    kind,
    at: START + at,
    block: 1000 + log,
    log,
    sub: 0,
    tx: `0x${log}`,
    token: YES,
    condition: CONDITION,
    shares: m(shares),
    usd: m(usd),
    fee: 0n,
    isMaker: false,
    isFeeKnown: true,
    ...more,
  };
}
const buy = (shares: number, price: number, given: Given = {}) => row("buy", shares, -shares * price, given);
const sell = (shares: number, price: number, given: Given = {}) => row("sell", -shares, shares * price, given);
/** A split or merge of complete sets: two rows of one operation, the money on the first. */
function sets(kind: "split" | "merge", shares: number, at?: number): LedgerRow[] {
  const sign = kind === "split" ? 1 : -1;
  const first = row(kind, sign * shares, -sign * shares, at === undefined ? {} : { at });
  return [first, { ...first, sub: 1, token: NO, shares: m(sign * shares), usd: 0n }];
}
const CONDITIONS = ["1", "2", "3"].map((digit) => `0x${digit.repeat(64)}`);
/** Ten NO of the first two of three questions into ten YES of the third, and ten dollars. */
function converted(at: number): LedgerRow[] {
  const [one = "", two = "", three = ""] = CONDITIONS;
  const first = row("conversion", -10, 10, { at, token: "12", condition: one });
  return [
    first,
    { ...first, sub: 1, token: "22", condition: two, usd: 0n },
    { ...first, sub: 2, token: "31", condition: three, usd: 0n, shares: m(10) },
  ];
}
const resolved = (at: number, yes: number): Resolution => ({
  at: START + at,
  block: 99_999,
  log: 1,
  isFromCatalogue: false,
  payouts: new Map([
    [YES, m(yes)],
    [NO, m(1 - yes)],
  ]),
});

/** The same mark on every day. */
const marksAt = (mark: number | undefined) => () =>
  mark === undefined ? undefined : { days: Uint16Array.of(0), marks: Float64Array.of(Number(m(mark))) };

type World = { rows: LedgerRow[]; resolution?: Resolution; mark?: number; through?: string };
function fold({ rows, resolution, mark, through = FROM }: World) {
  return foldToRows({
    wallet: WALLET,
    opening: NOTHING_BEFORE,
    rows,
    resolutions: new Map(resolution === undefined ? [] : [[CONDITION, resolution]]),
    marksOf: marksAt(mark),
    from: FROM,
    through,
  });
}
const total = (rows: readonly Readonly<Record<string, unknown>>[], column: string): number =>
  rows.reduce((sum, each) => sum + Number(each[column]), 0);
const last = (made: WalletRows) => made.walletDays.at(-1) ?? {};
/** Profit by money: cash plus the holdings at their mark. */
const byCash = (made: WalletRows): number =>
  Number(last(made)["cash_total_usd"]) + Number(last(made)["open_value_usd"]);
/** Profit by the method: realised less fees, plus unrealised. */
const byMethod = (made: WalletRows): number =>
  Number(last(made)["realized_total_usd"]) -
  Number(last(made)["fee_total_usd"]) +
  Number(last(made)["open_value_usd"]) -
  Number(last(made)["open_cost_usd"]);

describe("the examples of analytics.md", () => {
  test("(a) buy 100 @ .40, sell 50 @ .60, YES wins: 40", () => {
    const made = fold({ rows: [buy(100, 0.4, { at: 1 }), sell(50, 0.6, { at: 2 })], resolution: resolved(HOUR, 1) });
    expect(total(made.walletDays, "realized_usd")).toBe(40);
    expect(byMethod(made)).toBe(byCash(made));
    expect(made.conditionDays).toMatchObject([{ wins: 1, losses: 0, pnl_usd: "40" }]);
  });

  test("(b) two buys, one sale: average 20 and 20, first in first out 30 and 10", () => {
    const rows = [buy(100, 0.4, { at: 1 }), buy(100, 0.6, { at: 2 }), sell(100, 0.7, { at: 3 })];
    const made = fold({ rows, mark: 0.7 });
    expect(made.tokenDays).toMatchObject([{ realized_usd: "20", realized_fifo_usd: "30", shares: "100" }]);
    expect(made.walletDays).toMatchObject([{ open_cost_usd: "50", open_value_usd: "70" }]);
    expect(made.tokenDays[0]?.["cost_fifo_usd"]).toBe("60");
    expect(made.tokenDays[0]?.["lots"]).toEqual([["100", "60"]]);
    expect(made.conditionDays).toEqual([]);
  });

  test("(c) split 100, sell 100 NO @ .30, YES wins: −20 on NO, +50 on YES, cash 30", () => {
    const rows = [...sets("split", 100, 1), sell(100, 0.3, { at: 2, token: NO })];
    const made = fold({ rows, resolution: resolved(HOUR, 1) });
    expect(made.tokenDays).toMatchObject([
      { token_id: YES, realized_usd: "50" },
      { token_id: NO, realized_usd: "-20" },
    ]);
    expect(byCash(made)).toBe(30);
    expect(byMethod(made)).toBe(30);
  });

  test("(d) buy 100 @ .40, NO wins, never redeemed: −40 on the day of resolution", () => {
    const rows = [buy(100, 0.4, { at: 1 })];
    const made = fold({ rows, resolution: resolved(2 * DAY + HOUR, 0), mark: 0.5, through: "2026-01-05" });
    expect(made.walletDays.map(({ day, realized_usd, losses }) => [day, realized_usd, losses])).toEqual([
      ["2026-01-01", "0", 0],
      ["2026-01-02", "0", 0],
      ["2026-01-03", "-40", 1],
    ]);
    expect(made.walletDays[1]).toMatchObject({ open_value_usd: "50", buys: 0 });
    expect(made.walletDays[2]).toMatchObject({ open_value_usd: "0", open_tokens: 0 });
  });

  test("(e) split, then merge: 0", () => {
    const made = fold({ rows: [...sets("split", 70, 1), ...sets("merge", 70, 2)] });
    expect(total(made.tokenDays, "realized_usd")).toBe(0);
    expect(byCash(made)).toBe(0);
    expect(made.conditionDays).toMatchObject([{ wins: 0, losses: 0, pnl_usd: "0" }]);
  });

  test("(f) a conversion gives M·(n − 1) in cash, and the YES cost the remainder", () => {
    const [one = "", two = ""] = CONDITIONS;
    const bought = [
      buy(10, 0.7, { at: 1, token: "12", condition: one }),
      buy(10, 0.8, { at: 2, token: "22", condition: two }),
    ];
    const made = fold({ rows: [...bought, ...converted(3)], mark: 0.5 });
    expect(byCash(made)).toBeCloseTo(-15 + 10 + 5, 6);
    const yes = made.tokenDays.find(({ token_id }) => token_id === "31");
    // (0.75·2 − 1)/(3 − 2) = 0.50 a share.
    expect(yes).toMatchObject({ shares: "10", cost_usd: "5", cost_fifo_usd: "5" });
    expect(total(made.tokenDays, "realized_usd")).toBe(0);
    expect(byMethod(made)).toBeCloseTo(byCash(made), 6);
  });
});

describe("edge cases", () => {
  test("a wallet that is maker and taker of one match has two fills, and loses only the fee", () => {
    const maker = { ...sell(10, 0.5, { at: 5 }), isMaker: true };
    const taker = { ...buy(10, 0.5, { at: 5, fee: m(0.1) }), tx: maker.tx };
    const made = fold({ rows: [buy(10, 0.5, { at: 1 }), maker, taker], mark: 0.5 });
    expect(made.walletDays).toMatchObject([{ buys: 2, sells: 1, maker_fills: 1, maker_usd: "5", cash_usd: "-5.1" }]);
    expect(byMethod(made)).toBeCloseTo(-0.1, 6);
  });

  test("several operations in one transaction count separately", () => {
    const [first, second] = sets("split", 10, 1);
    const again = [first, second].flatMap((each) => (each === undefined ? [] : [{ ...each, log: each.log + 50 }]));
    const made = fold({ rows: [first, second, ...again].flatMap((each) => each ?? []), mark: 0.5 });
    expect(made.tokenDays).toMatchObject([
      { token_id: YES, shares: "20", other_events: 2 },
      { token_id: NO, shares: "20", other_events: 2 },
    ]);
    expect(byCash(made)).toBe(0);
  });

  test("a redemption of both sides realises the payout of each, whatever its split of the money", () => {
    const redemption = row("redemption", -60, 60, { at: 3 * HOUR });
    const rows = [...sets("split", 60, 1), redemption, { ...redemption, sub: 1, token: NO, usd: 0n, shares: m(-60) }];
    const made = fold({ rows, resolution: resolved(HOUR, 1) });
    expect(made.tokenDays).toMatchObject([
      { token_id: YES, realized_usd: "30", shares: "0" },
      { token_id: NO, realized_usd: "-30", shares: "0" },
    ]);
    expect(byCash(made)).toBe(0);
  });

  test("shares sold that were never bought realise nothing; their proceeds are the residual", () => {
    const made = fold({ rows: [buy(10, 0.4, { at: 1 }), sell(30, 0.6, { at: 2 })] });
    expect(made.tokenDays).toMatchObject([{ realized_usd: "2", shares: "0" }]);
    expect(made.walletDays).toMatchObject([{ is_estimated: true, unmatched_usd: "12" }]);
    expect(byCash(made) - byMethod(made)).toBeCloseTo(12, 6);
  });

  test("proceeds of merges and redemptions for shares never held are unmatched, exact to the last unit", () => {
    const redeemed = row("redemption", -30.000001, 30.000001, { at: 3 * HOUR });
    const rows = [buy(10, 0.4, { at: 1 }), ...sets("merge", 20, 2), redeemed];
    const made = fold({ rows, resolution: resolved(2 * HOUR, 1) });
    // 10 YES of the merge were held and none of the redemption: 5 + 10 + 30.000001.
    expect(made.walletDays).toMatchObject([{ cash_usd: "46.000001", realized_usd: "1", unmatched_usd: "45.000001" }]);
  });

  test("converted NO that was never held costs nothing: the YES and the cash are profit once sold", () => {
    const third = { token: "31", condition: CONDITIONS[2] ?? "" };
    const made = fold({ rows: [...converted(1), sell(4, 0.3, { at: 2, ...third })], mark: 0.3 });
    // The YES cost the remainder of zero less ten dollars, −1 a share: 4 · (0.30 + 1) is realised.
    expect(made.tokenDays).toMatchObject([
      { token_id: "12", shares: "0", cash_usd: "10", realized_usd: "0" },
      { token_id: "22", shares: "0", cash_usd: "0", realized_usd: "0" },
      { token_id: "31", shares: "6", cost_usd: "-6", cost_fifo_usd: "-6", realized_usd: "5.2" },
    ]);
    expect(made.tokenDays[2]).toMatchObject({ realized_fifo_usd: "5.2" });
    expect(made.walletDays).toMatchObject([{ is_estimated: true, cash_usd: "11.2", open_value_usd: "1.8" }]);
    expect(made.conditionDays).toEqual([]);
    const sold = fold({ rows: [...converted(1), sell(10, 0.3, { at: 2, ...third })] });
    expect(sold.conditionDays).toMatchObject([{ condition_id: third.condition, wins: 1, losses: 0, pnl_usd: "13" }]);
    for (const one of [made, sold]) expect(byMethod(one)).toBeCloseTo(byCash(one), 6);
    expect(byCash(sold)).toBe(13);
  });

  test("converted NO that was held in part gives the YES the cost of that part", () => {
    const [one = "", , three = ""] = CONDITIONS;
    const rows = [buy(4, 0.7, { at: 1, token: "12", condition: one }), ...converted(2)];
    const made = fold({ rows: [...rows, sell(5, 0.3, { at: 3, token: "31", condition: three })], mark: 0.3 });
    // 2.8 of cost less 10 of cash is −0.72 a share: 5 · (0.30 + 0.72) is realised.
    expect(made.tokenDays).toMatchObject([
      { token_id: "12", shares: "0" },
      { token_id: "22", shares: "0" },
      { token_id: "31", shares: "5", cost_usd: "-3.6", realized_usd: "5.1", realized_fifo_usd: "5.1" },
    ]);
    expect(byMethod(made)).toBeCloseTo(byCash(made), 6);
  });

  test("a transfer in costs nothing and one out earns nothing: profit equals cash plus holdings", () => {
    const rows = [
      buy(100, 0.4, { at: 1 }),
      row("transfer_out", -50, 0, { at: 2 }),
      row("transfer_in", 10, 0, { at: 3 }),
    ];
    const made = fold({ rows, resolution: resolved(HOUR, 1) });
    expect(made.tokenDays).toMatchObject([{ shares_out: "50", shares_in: "10", realized_usd: "20" }]);
    expect(byCash(made)).toBe(20);
    expect(byMethod(made)).toBe(20);
    expect(made.walletDays).toMatchObject([{ is_estimated: true }]);
  });

  test("shares bought after the resolution are worth their payout immediately", () => {
    const made = fold({ rows: [buy(100, 0.99, { at: 2 * HOUR })], resolution: resolved(HOUR, 1) });
    expect(made.tokenDays).toMatchObject([{ realized_usd: "1", cost_usd: "100", payout: "1" }]);
    expect(byMethod(made)).toBe(byCash(made));
    expect(made.conditionDays).toEqual([]);
  });

  test("a trade without a known block counts before a resolution of the same second", () => {
    const traded = { ...buy(100, 0.99, { at: HOUR }), block: 0 };
    const made = fold({ rows: [traded], resolution: resolved(HOUR, 1) });
    expect(made.conditionDays).toMatchObject([{ wins: 1, pnl_usd: "1" }]);
  });

  test("a void pays both sides a half", () => {
    const made = fold({ rows: [buy(100, 0.7, { at: 1 })], resolution: resolved(HOUR, 0.5) });
    expect(made.tokenDays).toMatchObject([{ realized_usd: "-20" }]);
    expect(made.conditionDays).toMatchObject([{ losses: 1, pnl_usd: "-20" }]);
  });

  test("a position ends when less than a hundredth of a share is left, and another begins with the next buy", () => {
    const rows = [
      buy(10, 0.4, { at: 1 }),
      sell(9.995, 0.6, { at: 2 }),
      buy(10, 0.6, { at: 3, fee: m(0.2) }),
      sell(10.005, 0.5, { at: 4 }),
    ];
    const made = fold({ rows });
    expect(made.conditionDays).toMatchObject([{ wins: 1, losses: 1 }]);
    expect(made.walletDays).toMatchObject([{ wins: 1, losses: 1, open_tokens: 0 }]);
  });
});

describe("continuing from the end of a day", () => {
  test("gives the same rows as folding all days at once", () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    const rows = Array.from({ length: 400 }, (_, index) => {
      const at = Math.floor((index / 400) * 6 * DAY);
      const token = random() < 0.5 ? YES : NO;
      const [shares, price] = [Math.ceil(random() * 50), Math.ceil(random() * 98) / 100];
      const fee = m(Math.floor(random() * 100) / 1e4);
      const dice = random();
      if (dice < 0.5) return [buy(shares, price, { at, token, fee })];
      if (dice < 0.85) return [sell(shares, price, { at, token, fee })];
      return sets(dice < 0.95 ? "split" : "merge", shares, at);
    }).flat();
    const resolution = resolved(5 * DAY + HOUR, 1);
    const whole = fold({ rows, resolution, mark: 0.37, through: "2026-01-06" });
    for (const cut of [1, 2, 3, 4, 5]) {
      const from = `2026-01-0${cut + 1}`;
      const opening = whole.openings.get(START / DAY + cut - 1) ?? NOTHING_BEFORE;
      const rest = foldToRows({
        wallet: WALLET,
        opening,
        rows: rows.filter(({ at }) => at >= Date.parse(from) / 1000),
        resolutions: new Map([[CONDITION, resolution]]),
        marksOf: marksAt(0.37),
        from,
        through: "2026-01-06",
      });
      const after = (each: readonly Readonly<Record<string, unknown>>[]) =>
        each.filter(({ day }) => String(day) >= from);
      expect(rest.tokenDays).toEqual(after(whole.tokenDays));
      expect(rest.conditionDays).toEqual(after(whole.conditionDays));
      expect(rest.walletDays).toEqual(after(whole.walletDays));
    }
    expect(whole.walletDays.length).toBe(6);
  });
});
