import { describe, expect, it } from "vitest";
import { incomePageWire } from "../../../src/connectors/polymarket/income/read-income.ts";
import { polymarketIncomeStream } from "../../../src/connectors/polymarket/income.ts";
import type { Batch, Cursor, Feed } from "../../../src/definition/connector.ts";
import { readPage } from "../../../src/definition/read-page.ts";
import { polymarketIncome } from "../../../src/tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../../src/tables/polymarket-income-wallets.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const SECOND = NOW / 1000 - 3600;
const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, "0")}`;
const [ANNA, BEN] = [hex(0xa1, 40), hex(0xb2, 40)];

/** A credit as `/v2/activity` returns it, without a market (shape: @polymarket/bindings 0.10). */
const credit = (type: string, usdc_size: unknown, change: Record<string, unknown> = {}) => ({
  proxy_wallet: ANNA,
  timestamp: SECOND,
  condition_id: "",
  type,
  size: usdc_size,
  usdc_size,
  transaction_hash: hex(7, 64),
  price: 0,
  token_id: "",
  side: "",
  outcome_index: 999,
  title: "",
  ...change,
});
const pageOf = (data: unknown[], next_cursor: string | null = null) => ({
  data,
  pagination: { limit: 1000, offset: 0, has_more: next_cursor !== null, next_cursor },
});
const walk = (feed: Feed, due: readonly string[], cursor?: Record<string, string>) =>
  collect(
    polymarketIncomeStream.pull(pullOptions(feed, { now: () => NOW, known: async () => due, cursor: cursor ?? {} })),
  );

/** Runs a cycle as ingest does, with some unreadable wallets; returns its checks, cursor and failure. */
const cycle = async (due: readonly string[], broken: ReadonlySet<string>, cursor: Cursor = {}) => {
  const feed = memoryFeed({
    get: (_call, query) => {
      if (broken.has(query.get("user") ?? "")) throw new Error("refused");
      return pageOf([]);
    },
  });
  const batches: Batch[] = [];
  const options = pullOptions(feed, { now: () => NOW, known: async () => due, cursor });
  const failure = await (async () => {
    for await (const batch of polymarketIncomeStream.pull(options)) batches.push(batch);
  })().catch((error: unknown) => error);
  const checks = batches.flatMap(({ rows: [, reported] }) => reported?.rows ?? []);
  const { cursor: place = {}, isCaughtUp, isFailing } = batches.at(-1) ?? {};
  return { checks, cursor: place, failure, isCaughtUp, isFailing };
};

describe("the income stream of the Data API", () => {
  it("reads every kind of income of a wallet exactly, and records when that was", async () => {
    const rows = [
      credit("REWARD", 12.345678),
      credit("MAKER_REBATE", 0.000001),
      credit("TAKER_REBATE", "3.5"),
      credit("REFERRAL_REWARD", 1e-6, { transaction_hash: hex(8, 64).toUpperCase().replace("0X", "0x") }),
      credit("YIELD", 100),
    ];
    const feed = memoryFeed({ get: () => pageOf(rows) });
    const taken = await walk(feed, [`${ANNA} 0`]);
    const of = { wallet: ANNA, ts: "2026-11-20T11:00:00Z", tx_hash: hex(7, 64), place: 0 };
    expect(taken.of(polymarketIncome)).toEqual([
      { ...of, kind: "reward", amount_usd: "12.345678" },
      { ...of, kind: "maker_rebate", amount_usd: "0.000001" },
      { ...of, kind: "taker_rebate", amount_usd: "3.5" },
      { ...of, kind: "referral_reward", amount_usd: "0.000001", tx_hash: hex(8, 64) },
      { ...of, kind: "yield", amount_usd: "100" },
    ]);
    expect(taken.of(polymarketIncomeWallets)).toEqual([
      { wallet: ANNA, asked_at: "2026-11-20T12:00:00Z", checked_at: "2026-11-20T12:00:00Z" },
    ]);
    expect(taken.batches).toMatchObject([{ cursor: {}, isCaughtUp: true }]);
    expect(taken.batches[0]?.rows.map(({ table }) => table)).toEqual([polymarketIncome, polymarketIncomeWallets]);
    expect(Object.fromEntries(feed.calls[0]?.query ?? [])).toEqual({
      user: ANNA,
      type: "REWARD,MAKER_REBATE,TAKER_REBATE,REFERRAL_REWARD,YIELD",
      start: "1",
      limit: "1000",
    });
  });

  it("reads all pages with the same filters, from two days before the last known time", async () => {
    const feed = memoryFeed({
      get: (_call, query) =>
        query.has("cursor") ? pageOf([credit("REWARD", 2)]) : pageOf([credit("REWARD", 1)], "next"),
    });
    const taken = await walk(feed, [`${ANNA} ${SECOND}`]);
    expect(taken.of(polymarketIncome).map((row) => row["amount_usd"])).toEqual(["1", "2"]);
    expect(feed.calls.map(({ query }) => query.get("start"))).toEqual([2, 2].map(() => String(SECOND - 172_800)));
    expect(feed.calls[1]?.query.get("type")).toBe(feed.calls[0]?.query.get("type"));
    const endless = memoryFeed({ get: () => pageOf([credit("REWARD", 1)], "next") });
    await expect(walk(endless, [`${ANNA} 0`])).rejects.toThrow("same cursor");
  });

  it("distinguishes identical credits of a transaction, also across pages", async () => {
    const feed = memoryFeed({
      get: (_call, query) => pageOf([credit("REWARD", 1), credit("REWARD", 1)], query.has("cursor") ? null : "next"),
    });
    const taken = await walk(feed, [`${ANNA} 0`]);
    expect(taken.of(polymarketIncome).map((row) => row["place"])).toEqual([0, 1, 2, 3]);
  });

  it("omits entries that are not income, and reports them", async () => {
    const feed = memoryFeed({ get: () => pageOf([credit("TRADE", 1), credit("REWARD", 2), credit("BONUS", 3)]) });
    const taken = await walk(feed, [`${ANNA} 0`]);
    expect(taken.of(polymarketIncome)).toHaveLength(1);
    expect(taken.batches.flatMap(({ notices }) => notices ?? [])).toMatchObject([{ kind: "upstream_note", count: 2 }]);
  });

  it("does not mark a wallet as checked if one of its rows is unreadable", async () => {
    const changed = pageOf([credit("REWARD", 2), credit("REWARD", { usd: 2 }), credit("YIELD", 3)]);
    const feed: Feed = {
      ...memoryFeed({}),
      get: async (_call, reply) => {
        const page = readPage(reply, changed);
        return page.kind === "refused" ? undefined : page.data;
      },
    };
    const taken = await walk(feed, [`${ANNA} 0`, `${BEN} ${SECOND}`]);
    expect(taken.of(polymarketIncome).map((row) => row["amount_usd"])).toEqual(["2", "3", "2", "3"]);
    expect(taken.of(polymarketIncomeWallets)).toEqual([
      { wallet: ANNA, asked_at: "2026-11-20T12:00:00Z", checked_at: null },
      { wallet: BEN, asked_at: "2026-11-20T12:00:00Z", checked_at: "2026-11-20T11:00:00Z" },
    ]);
  });

  it("keys an unreadable row by wallet and kind too, since one transaction pays many", () => {
    const page = readPage(incomePageWire, pageOf([credit("REWARD", "much"), credit("YIELD", 3)]));
    expect(page).toMatchObject({
      kind: "partial",
      refused: [{ key: { wallet: ANNA, tx_hash: hex(7, 64), kind: "reward" }, span: { from: SECOND * 1000 } }],
    });
    const broken = { ...pageOf([]), pagination: { has_more: true, next_cursor: null } };
    expect(readPage(incomePageWire, broken).kind).toBe("refused");
  });

  it("continues past unreadable wallets, records that they were requested, and fails at the end", async () => {
    const wallets = Array.from({ length: 12 }, (_, index) => hex(index + 1, 40));
    const broken = new Set([wallets[0] ?? "", wallets[7] ?? ""]);
    const due = wallets.map((wallet) => `${wallet} ${SECOND}`);
    const taken = await cycle(due, broken);
    expect(taken.failure).toMatchObject({ message: "refused" });
    expect(taken).toMatchObject({ isCaughtUp: undefined, isFailing: false });
    expect(taken.checks).toEqual(
      wallets.map((wallet) => ({
        wallet,
        asked_at: "2026-11-20T12:00:00Z",
        checked_at: broken.has(wallet) ? "2026-11-20T11:00:00Z" : "2026-11-20T12:00:00Z",
      })),
    );
  });

  it("reports a cycle that could read no wallet as failing, and leaves the last wallets due", async () => {
    const few = await cycle([`${ANNA} 0`, `${BEN} 0`], new Set([ANNA, BEN]));
    expect(few).toMatchObject({ checks: [], cursor: {}, failure: { message: "refused" }, isFailing: true });
    const wallets = Array.from({ length: 6 }, (_, index) => hex(index + 1, 40));
    const due = wallets.map((wallet) => `${wallet} 0`);
    const many = await cycle(due, new Set(wallets));
    expect(many).toMatchObject({ checks: [], cursor: { after: wallets[4] }, isFailing: true });
    const after = await cycle(due, new Set(wallets), many.cursor);
    expect(after).toMatchObject({ checks: [], cursor: {}, isFailing: true });
    expect(await cycle(due, new Set(wallets.slice(1)))).toMatchObject({ isFailing: false });
  });

  it("stops after too many unreadable wallets, and continues after them in the next cycle", async () => {
    const wallets = Array.from({ length: 8 }, (_, index) => hex(index + 1, 40));
    const broken = new Set(wallets.slice(1, 6));
    const due = wallets.map((wallet) => `${wallet} 0`);
    const first = await cycle(due, broken);
    expect(first.failure).toMatchObject({ message: "refused" });
    expect(first.checks.map(({ wallet }) => wallet)).toEqual(wallets.slice(0, 1));
    const second = await cycle(due.slice(1), broken, first.cursor);
    expect(second.checks.map(({ wallet }) => wallet)).toEqual(wallets.slice(6));
    expect(second).toMatchObject({ failure: undefined, cursor: {}, isCaughtUp: true });
  });

  it("stores fifty wallets at a time, fewer if they have many rows", async () => {
    const due = Array.from({ length: 120 }, (_, index) => `${hex(index, 40)} 0`);
    const sizes = async (rows: number): Promise<number[]> => {
      const credits = Array.from({ length: rows }, (_, index) => credit("YIELD", index));
      const taken = await walk(memoryFeed({ get: () => pageOf(credits) }), due);
      return taken.batches.map(({ rows: [, checks] }) => checks?.rows.length ?? 0);
    };
    expect(await sizes(0)).toEqual([50, 50, 20]);
    expect(await sizes(1000)).toEqual([...Array.from({ length: 24 }, () => 5), 0]);
  });

  it("sends no request for an invalid wallet, and is not part of coverage", async () => {
    const feed = memoryFeed({ get: () => pageOf([]) });
    const taken = await walk(feed, ["1", "", ANNA, `${ANNA} x`]);
    expect(feed.calls).toEqual([]);
    expect(taken.of(polymarketIncomeWallets)).toEqual([]);
    expect(polymarketIncomeStream).toMatchObject({ isSelective: true, isPatient: true });
  });
});
