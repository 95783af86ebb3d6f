import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { openStore } from "../../src/store/open-store.ts";
import { StoreError } from "../../src/store/statement.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { openTcpProxy, type TcpProxy } from "../scale/net/tcp-proxy.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const ROWS = 5;

let mine: Awaited<ReturnType<typeof openTestStore>>;
let network: TcpProxy;
beforeAll(async () => {
  mine = await openTestStore();
  network = await openTcpProxy({ port: Number(new URL(mine.address.url).port) });
});
afterAll(async () => {
  await network.close();
  await mine.close();
});

let term = 0;
/** A leader whose lease is valid. */
const nextTerm = () => ({ token: (term += 1), check: (): void => undefined });

/**
 * The leader's lease is valid when its `held`th statement is sent, and the statement is in flight for so long that
 * another process takes over, stores the same rows and finishes. Returns whether such a statement was sent.
 */
async function storeLate(held: number): Promise<boolean> {
  const url = `http://127.0.0.1:${network.port}`;
  const theirs = await openStore({ address: { ...mine.address, url } });
  let requested = 0;
  const isHeld = Promise.withResolvers<boolean>();
  await theirs.beginWriting({
    ...nextTerm(),
    check: () => {
      requested += 1;
      if (requested > held) throw new StoreError("absent", 0, "the lease is lost");
      if (requested < held) return;
      network.turn({ isSilent: true });
      isHeld.resolve(true);
    },
  });
  const rows = Array.from({ length: ROWS }, (_, index) => fillRow(held * ROWS + index, START + held));
  const storing = theirs.insert(polymarketFills, rows).catch(() => undefined);
  const wasHeld = await Promise.race([isHeld.promise, storing.then(() => false)]);
  if (wasHeld) {
    await mine.beginWriting(nextTerm());
    await mine.insert(polymarketFills, rows);
  }
  network.turn({});
  await storing;
  await theirs.close();
  return wasHeld;
}

test("a former leader's statement stores nothing, whichever it is and however late it arrives", async () => {
  let statements = 0;
  while (await storeLate(statements + 1)) statements += 1;
  expect(statements).toBeGreaterThan(6);
  const [found] = await mine.rows<{ rows: string; ids: string; copies: string; different: string }>(
    sql`SELECT count() AS rows, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies, (SELECT uniqExact(tx_hash) FROM polymarket_fills_by_wallet) AS different FROM polymarket_fills`,
  );
  const all = String((statements + 1) * ROWS);
  expect(found).toEqual({ rows: all, ids: all, copies: all, different: all });
});

test("cancels a running statement, of which nothing is stored later", async () => {
  await mine.run(sql`CREATE TABLE staged_polymarket_fills_0123456789ab ENGINE = Memory AS polymarket_fills`);
  await mine.run(sql`INSERT INTO staged_polymarket_fills_0123456789ab SELECT * FROM polymarket_fills`);
  const before = await mine.rows(sql`SELECT count() AS n FROM polymarket_fills`);
  // Slow enough to be caught while it runs: two seconds a row, of which a block has many.
  const slow = mine.run(
    sql`INSERT INTO polymarket_fills SELECT * FROM staged_polymarket_fills_0123456789ab WHERE sleepEachRow(2) = 0`,
    { function_sleep_max_microseconds_per_block: 1_000_000_000, max_block_size: 1 },
  );
  const ended = expect(slow).rejects.toThrow();
  const running = sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%sleepEachRow(2)%' AND query_kind = 'Insert'`;
  await expect.poll(() => mine.rows(running)).toEqual([{ n: "1" }]);
  await mine.beginWriting(nextTerm());
  await ended;
  expect(await mine.rows(running)).toEqual([{ n: "0" }]);
  expect(await mine.rows(sql`SELECT count() AS n FROM polymarket_fills`)).toEqual(before);
  expect(await mine.rows(sql`EXISTS TABLE staged_polymarket_fills_0123456789ab`)).toEqual([{ result: 0 }]);
});

test("keeps the staged rows of a newer leader, and backups", async () => {
  await mine.run(sql`CREATE TABLE staged_polymarket_fills_900_0123456789ab ENGINE = Memory AS polymarket_fills`);
  await mine.run(sql`CREATE TABLE staged_backup_0123456789abcdef ENGINE = Memory AS polymarket_fills`);
  await mine.beginWriting(nextTerm());
  const left = await mine.rows(sql`SELECT name FROM system.tables WHERE startsWith(name, 'staged_') ORDER BY name`);
  expect(left).toEqual([
    { name: "staged_backup_0123456789abcdef" },
    { name: "staged_polymarket_fills_900_0123456789ab" },
  ]);
});
