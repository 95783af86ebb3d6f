import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, fromDefinition, joined, sql } from "../../../src/definition/sql.ts";
import { walletScoresFromEntries } from "../../../src/derivations/wallet-scores.ts";
import { deriveDays } from "../../../src/ingest/day/derive-days.ts";
import { runDays } from "../../../src/ingest/day/run-days.ts";
import { printOf } from "../../../src/ingest/day/day-rows.ts";
import { walletScores } from "../../../src/tables/wallet-scores.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { hex, table, tokenId } from "../../fixtures/sample-rows.ts";
import { DAY, FEW, storeScoredWorld, WALLETS } from "../../fixtures/scored-world.ts";
import { readSamples as readSamplesOf } from "../../fixtures/read-samples.ts";
import { walletDay } from "../../fixtures/wallet-day-rows.ts";
import { tokenDay } from "../../fixtures/wallet-token-day-rows.ts";
import { manualClock } from "../manual-clock.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await storeScoredWorld(store);
});
afterAll(() => store.close());

const run = () => ({
  store,
  clock: manualClock(Date.parse("2026-05-20T10:00:00Z")),
  signal: new AbortController().signal,
});
const read = () =>
  store.rows<Record<string, unknown>>(
    sql`SELECT * EXCEPT (version, content, wallet), concat('0x', lower(hex(wallet))) AS wallet FROM wallet_scores_by_wallet FINAL WHERE NOT is_gone AND day = '2026-05-20' ORDER BY category, wallet`,
  );

test("ranks wallets with enough entries in the window, at every level of the category", async () => {
  await runDays(walletScoresFromEntries, [DAY], run());
  const rows = await read();
  expect(rows.map((row) => [row["category"], row["wallet"]])).toEqual(WALLETS.map((wallet) => ["", wallet]));
  for (const [place, row] of rows.entries()) {
    expect(row).toMatchObject({ entries: 24, events: 6, pool: 4, breadth: 6 });
    expect(Number(row["clv"])).toBeCloseTo(0.01 * place, 9);
    expect(Number(row["capped_pnl_usd"])).toBeCloseTo(place === 0 ? -30 : 0.2 * (40 * place - 30), 6);
    // (rank + ½) / 4 in a pool of four.
    for (const part of ["skill_pct", "profit_pct", "timing_pct"]) expect(row[part]).toBeCloseTo((place + 0.5) / 4, 9);
    expect(row["breadth_pct"]).toBe(0.5);
  }
  // A wash pattern found 19 days before still applies.
  expect(rows.map((row) => row["wash_factor"])).toEqual([1, 1, 1, 0.4]);
  expect(rows[3]?.["reasons"]).toContain("wash_pattern");
});

test("a rerun leaves the same rows", async () => {
  const first = await read();
  await runDays(walletScoresFromEntries, [DAY], run());
  expect(await read()).toEqual(first);
});

test("the fingerprint of a day's rows also covers columns that are null", async () => {
  const rows = sql`SELECT * FROM wallet_scores FINAL WHERE day = ${bind("Date", DAY)}`;
  const prints = ["clv AS clv", "NULL AS clv", "0 AS clv"].map(
    (clv) =>
      sql`SELECT toString(${printOf(walletScores, [walletScores.name])}) AS print FROM (SELECT * REPLACE (${fromDefinition(clv)}) FROM (${rows}))`,
  );
  const found = await store.rows<{ print: string }>(joined(prints, sql` UNION ALL `));
  expect(new Set(found.map(({ print }) => print)).size).toBe(3);
});

const readSamples = (wallets: readonly string[]) => readSamplesOf(store, DAY, wallets);

test("reading in slices returns the same samples as reading all at once", async () => {
  const whole = await readSamples(WALLETS);
  expect(whole.map(({ wallet }) => wallet)).toEqual(WALLETS);
  const halves = [await readSamples(WALLETS.slice(0, 2)), await readSamples(WALLETS.slice(2))];
  expect(halves.map((half) => half.length)).toEqual([2, 2]);
  expect(halves.flat()).toEqual(whole);
});

test("a change on a day touches that day and the following fourteen, up to the current day", async () => {
  expect(await deriveDays(walletScoresFromEntries, Date.now() + 60_000, run())).toBe(1);
  // Entries on 2026-05-05 and from the 15th to the 17th: 5 to 20 May.
  expect(await deriveDays(walletScoresFromEntries, undefined, run())).toBe(16);
});

test("a changed wallet day also touches the day whose window starts from its value", async () => {
  const since = bind("UInt64", String(Date.now() * 1000));
  await store.insert(table("wallet_days"), [walletDay(FEW, "2026-05-02", { buys: 1 })]);
  const touched = await store.rows<{ day: string }>(
    walletScoresFromEntries.touched({ since, today: bind("Date", "2026-05-30") }),
  );
  const days = touched.map(({ day }) => day).toSorted();
  expect([days.length, days[0], days.at(-2), days.at(-1)]).toEqual([17, "2026-05-02", "2026-05-17", "2026-05-30"]);
});

test("assigns the profits of each market that the catalogue lacks to an event of its own", async () => {
  await store.insert(
    table("wallet_token_days"),
    [901, 902].map((index) =>
      tokenDay(FEW, "2026-05-15", tokenId(index), { condition_id: hex(index), realized_usd: String(index) }),
    ),
  );
  const [sample] = await readSamples([FEW]);
  const own = sample?.events.filter(({ profits }) => profits.length > 0) ?? [];
  expect(own.map(({ category }) => category)).toEqual(["", ""]);
  expect(own.map(({ profits }) => profits.map(String)).sort()).toEqual([["901"], ["902"]]);
});

test("includes days on which a wallet only held positions in its sample", async () => {
  await store.insert(table("wallet_days"), [
    walletDay(FEW, "2026-05-15", { open_cost_usd: "10", open_value_usd: "20", open_tokens: 1 }),
    walletDay(FEW, "2026-05-16", { open_cost_usd: "10", open_value_usd: "25", open_tokens: 1 }),
  ]);
  const [sample] = await readSamples([FEW]);
  expect(sample?.days.at(-1)).toEqual({ profit: 5, capital: 20 });
});
