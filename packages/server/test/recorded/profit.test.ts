import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { microText } from "../../src/definition/value-text.ts";
import { VenuePosition } from "../../src/derivations/wallet/venue-position.ts";
import { readBaseball, type BaseballMarkets } from "./baseball-markets.ts";
import { openRecorded, type RecordedWorld } from "./open-recorded.ts";
import { accountKey, accountsOf, snapshotFills, toFillRow, type Account } from "./recorded-fills.ts";
import { jsonOf, noRecordings, type RecordedRow } from "./recordings.ts";

const MILLION = 1_000_000n;
const why = noRecordings ? `: ${noRecordings}` : "";
const micro = (text: unknown): bigint => BigInt(Math.round(Number(text) * 1e6));
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

/** By both methods, realised profit less the cost of held shares equals the cash, resolved or not and at any price. */
function expectAccount(position: RecordedRow | undefined, { held, cash }: Account, key: string): void {
  const of = (name: string): bigint => micro(position?.[name]);
  const found = {
    held: of("shares"),
    cash: of("realized_pnl") - of("cost"),
    cashFifo: of("realized_pnl_fifo") - of("cost_fifo"),
  };
  expect(found, key).toEqual({ held, cash, cashFifo: cash });
}

describe.skipIf(noRecordings)(`recorded fills of markets with a recorded winner${why}`, () => {
  /** The recordings contain the winner but not the time, so the resolution is put after the last fill. */
  const [BEFORE, RESOLVED, CLOSED] = ["2026-07-02", "2026-07-03", "2026-07-04"] as const;
  let world: RecordedWorld;
  let recorded: BaseballMarkets;
  let positions: ReadonlyMap<string, RecordedRow>;

  beforeAll(async () => {
    recorded = readBaseball();
    world = await openRecorded(recorded.rows(RESOLVED), CLOSED);
    positions = await world.positions(recorded.sidesOf.keys());
  });
  afterAll(() => world.close());

  it("are 1,374 fills of 68 wallets in 133 markets", () => {
    const markets = new Set(recorded.trades.map((row) => row["condition_id"]));
    expect([recorded.trades.length, recorded.sidesOf.size, markets.size]).toEqual([1374, 68, 133]);
  });

  it("leave each wallet its cash and its payout for each token, to the millionth", () => {
    expect(positions.size).toBe(recorded.accounts.size);
    for (const [key, account] of recorded.accounts) {
      const position = positions.get(key);
      expectAccount(position, account, key);
      expect(micro(position?.["cost"]), key).toBe(account.held * recorded.payoutOf(key.split(" ")[1] ?? ""));
    }
  });

  it("pay the outcome that another recording names as the winner, and no other", () => {
    const named = jsonOf<Record<string, RecordedRow>>("polymarket/mlb/outcome_cache.json.gz");
    const reported = recorded.trades.filter((row) => String(row["condition_id"]) in named);
    expect(reported).toHaveLength(178);
    for (const row of reported) {
      const key = accountKey(row["proxy_wallet"], row["token_id"]);
      if (recorded.accounts.get(key)?.held === 0n) continue;
      const hasWon = named[String(row["condition_id"])]?.["winning_outcome"] === row["outcome"];
      expect(positions.get(key), key).toMatchObject({ status: "redeemable", unrealized_pnl: "0.000000" });
      expect(micro(positions.get(key)?.["mark"]), key).toBe(hasWon ? MILLION : 0n);
    }
  });

  it("give a venue profit of realised plus unrealised profit, and the average cost of shares", () => {
    for (const [key, { unmatched }] of recorded.accounts) {
      if (unmatched > 0n) continue;
      const position = positions.get(key);
      const of = (name: string): bigint => micro(position?.[name]);
      const off = Number(of("pnl_polymarket") - of("realized_pnl") - of("unrealized_pnl"));
      expect(Math.abs(off), key).toBeLessThanOrEqual(2 * Number(position?.["trades"]));
      if (of("sold") > 0n) continue;
      expect(of("avg_entry_price"), key).toBe(
        (of("bought") * 2n * MILLION + of("shares_bought")) / (2n * of("shares_bought")),
      );
    }
  });

  it("give each wallet a profit (581) equal to the sum of its markets, without residual if all it sold had been bought", async () => {
    const profiles = await world.profiles([...recorded.sidesOf.keys()], { window_days: "all", as_of: CLOSED });
    expect(profiles).toHaveLength(68);
    for (const row of profiles) {
      const wallet = String(row["proxy_wallet"]);
      const total_pnl = Number(microText(sum(recorded.gainsOf(wallet))));
      expect(row).toMatchObject({ total_pnl, unrealized_pnl: 0, fees_usd: 0 });
      const own = [...recorded.accounts].filter(([key]) => key.startsWith(wallet));
      if (own.every(([, { unmatched }]) => unmatched === 0n)) expect(row).toMatchObject({ pnl_residual_usd: 0 });
    }
  });

  it("count as won or lost on the day of the resolution, redeemed or not", async () => {
    const buyers = [...recorded.sidesOf].flatMap(([wallet, sides]) => (sides.has("SELL") ? [] : [wallet]));
    expect(buyers).toHaveLength(55);
    for (const row of await world.profiles(buyers, { window_days: "all", as_of: BEFORE }))
      expect(row).toMatchObject({ total_pnl: 0, winning_trades: 0, losing_trades: 0 });
    const onTheDay = await world.profiles(buyers, { window_days: "1", as_of: RESOLVED });
    expect(onTheDay).toHaveLength(buyers.length);
    for (const row of onTheDay) {
      const gains = recorded.gainsOf(String(row["proxy_wallet"]));
      expect(row).toMatchObject({
        total_trades: 0,
        total_pnl: Number(microText(sum(gains))),
        winning_trades: gains.filter((gain) => gain > 0n).length,
        losing_trades: gains.filter((gain) => gain < 0n).length,
      });
    }
  });
});

describe.skipIf(noRecordings)(`positions recorded from the venue${why}`, () => {
  it("are shown with the venue's own figures", () => {
    const recorded = jsonOf<RecordedRow[]>("polymarket/data_api_v2/positions.json");
    expect(recorded).toHaveLength(2);
    for (const row of recorded) {
      const [held, price] = [Number(micro(row["current_size"])), Number(micro(row["current_price"]))];
      const position = new VenuePosition();
      position.buy(held, Number(micro(row["entry_cost_usdc"])));
      expect(Number(position.averageEntry?.parts) / 1e12).toBe(row["avg_price"]);
      expect(Number(position.pnl(held, price)?.parts) / 1e12).toBe(row["total_pnl"]);
    }
  });
});

describe.skipIf(noRecordings)(`recorded fills of markets without a name${why}`, () => {
  let world: RecordedWorld;
  beforeAll(async () => {
    world = await openRecorded({ polymarket_fills: snapshotFills().map((fill) => toFillRow(fill)) }, "2025-11-06");
  });
  afterAll(() => world.close());

  it("leave four wallets their cash, even if they sold shares that they never bought", async () => {
    const fills = snapshotFills();
    const accounts = accountsOf(fills);
    expect([fills.length, accounts.size]).toEqual([1140, 269]);
    expect([...accounts.values()].some(({ unmatched }) => unmatched > 0n)).toBe(true);
    const positions = await world.positions(new Set(fills.map(({ wallet }) => wallet)));
    expect(positions.size).toBe(accounts.size);
    for (const [key, account] of accounts) expectAccount(positions.get(key), account, key);
  });
});
