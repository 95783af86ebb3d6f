import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayAfter } from "../../src/definition/day-of.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { LEDGER_KINDS } from "../../src/derivations/wallet/ledger-row.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";
import { auditLedger, type Audited, type AuditRow } from "./audit-ledger.ts";
import { ANN, BOB, everyKind, FIRST_DAY } from "./every-kind.ts";

const KINDS = [...LEDGER_KINDS, "resolution"];
const DAYS = [0, 1, 2, 3, 4, 5, 6, 7].map((day) => dayAfter(FIRST_DAY, day));
const LAST = DAYS.at(-1) ?? "";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
let ledger: readonly AuditRow[];

const ask = (params: Readonly<Record<string, string>>) => query.rows(1002, { params, pagination: { limit: 1000 } });

beforeAll(async () => {
  store = await openTestStore();
  for (const [name, rows] of Object.entries(everyKind())) await store.insert(table(name), rows);
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
  const engine = { fold: walletFold, store, read: foldReader(store), checkpoints: openCheckpoints(walletFold) };
  await foldAll(engine, { sinceMs: 0, closed: LAST, signal: new AbortController().signal });
  query = openTestQuery(store, () => Date.parse(`${LAST}T12:00:00Z`));
  ledger = await ask({ proxy_wallet: ANN });
});
afterAll(() => store.close());

const sumOf = (days: ReadonlyMap<string, Audited>, from: string, to: string, figure: keyof Audited): number =>
  [...days].reduce((sum, [day, audited]) => (day >= from && day <= to ? sum + audited[figure] : sum), 0);

describe("the rows of a wallet's ledger", () => {
  test("are of every kind, and the rows by kind, by day and by page add up to them", async () => {
    expect(new Set(ledger.map(({ kind }) => kind))).toEqual(new Set(KINDS));
    const byKind = await Promise.all(KINDS.map((kind) => ask({ proxy_wallet: ANN, kind })));
    for (const [index, rows] of byKind.entries())
      expect(rows).toEqual(ledger.filter(({ kind }) => kind === KINDS[index]));
    const byDay = [];
    for (const day of DAYS.toReversed())
      byDay.push(...(await ask({ proxy_wallet: ANN, start_time: `${day}T00:00:00Z`, end_time: `${day}T23:59:59Z` })));
    expect(byDay).toEqual(ledger);
    const pages = [];
    for (let offset = 0; offset < ledger.length; offset += 4)
      pages.push(...(await query.rows(1002, { params: { proxy_wallet: ANN }, pagination: { limit: 4, offset } })));
    expect(pages).toEqual(ledger);
  });

  test("give for a resolution the value of a share from then on, once for each token held", () => {
    const found = ledger.filter(({ kind }) => kind === "resolution");
    expect(found.map((row) => [String(row["timestamp"]).slice(0, 10), Number(row["price"])])).toEqual([
      [DAYS[6], 0.5],
      [DAYS[6], 0.5],
      [DAYS[4], expect.any(Number)],
      [DAYS[4], expect.any(Number)],
    ]);
    expect(new Set(found.slice(2).map((row) => Number(row["price"])))).toEqual(new Set([0, 1]));
    for (const row of found) expect([row["shares"], row["usd"], row["fee_usd"]].map(Number)).toEqual([0, 0, 0]);
  });

  test.each(["1", "3", "7", "all"])(
    "add up to the figures of 581 over %s days, as of every day",
    async (window_days) => {
      const audited = auditLedger(ledger);
      for (const [index, as_of] of DAYS.entries()) {
        const from = window_days === "all" ? FIRST_DAY : dayAfter(as_of, 1 - Number(window_days));
        const [row] = await query.rows(581, { params: { proxy_wallet: ANN, window_days, as_of } });
        const sum = (figure: keyof Audited): number => sumOf(audited, from, as_of, figure);
        expect(row, `${window_days} days as of day ${index}`).toMatchObject({
          total_buy_trades: sum("buys"),
          total_sell_trades: sum("sells"),
          total_invested: expect.closeTo(sum("bought"), 5) as number,
          fees_usd: expect.closeTo(sum("fees"), 5) as number,
          total_pnl: expect.closeTo(sum("realized"), 5) as number,
        });
      }
    },
  );

  test("add up to the shares held according to the positions, and to all of the money", async () => {
    const positions = await query.rows(1001, { params: { proxy_wallet: ANN, status: "ALL" } });
    for (const position of positions) {
      const own = ledger.filter((row) => row["token_id"] === position["token_id"]);
      const held = own.reduce((sum, row) => sum + Number(row["shares"]), 0);
      expect(held, String(position["token_id"])).toBeCloseTo(Number(position["shares"]), 6);
    }
    const audited = auditLedger(ledger);
    const cost = positions.reduce((sum, position) => sum + Number(position["cost"]), 0);
    expect(sumOf(audited, FIRST_DAY, LAST, "cash") + cost).toBeCloseTo(sumOf(audited, FIRST_DAY, LAST, "realized"), 5);
  });

  test("of two wallets are those of each", async () => {
    const both = await ask({ proxy_wallet: `${ANN},${BOB}` });
    expect(both.filter((row) => row["proxy_wallet"] === ANN)).toEqual(ledger);
    const others = both.filter((row) => row["proxy_wallet"] === BOB);
    expect(others).toEqual(await ask({ proxy_wallet: BOB }));
    expect(others.map(({ kind }) => kind)).toEqual(["resolution", "transfer_out", "transfer_in"]);
  });
});
