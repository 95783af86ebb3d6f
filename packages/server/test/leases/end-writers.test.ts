import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { openStore } from "../../src/store/open-store.ts";
import { StoreError } from "../../src/store/store-error.ts";
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
}, 60_000);
afterAll(async () => {
  await network.close();
  await mine.close();
});

const isSure = { check: (): void => undefined };

/**
 * The owner is sure of its lease when its `held`th statement leaves, and that one is on its way for so long that another
 * process takes over, stores the same rows and is done. Gives whether it came to such a statement.
 */
async function storeLate(held: number): Promise<boolean> {
  const url = `http://127.0.0.1:${network.port}`;
  const theirs = await openStore({ address: { ...mine.address, url } });
  let asked = 0;
  const isHeld = Promise.withResolvers<boolean>();
  const late = theirs.under({
    check: () => {
      asked += 1;
      if (asked > held) throw new StoreError("absent", 0, "the lease is lost");
      if (asked < held) return;
      network.turn({ isSilent: true });
      isHeld.resolve(true);
    },
  });
  const rows = Array.from({ length: ROWS }, (_, index) => fillRow(held * ROWS + index, START + held));
  const storing = late.insert(polymarketFills, rows).catch(() => undefined);
  const wasHeld = await Promise.race([isHeld.promise, storing.then(() => false)]);
  const next = mine.under(isSure);
  if (wasHeld) {
    await mine.endWriters([polymarketFills.name]);
    await next.insert(polymarketFills, rows);
  }
  network.turn({});
  await storing;
  await next.close();
  await theirs.close();
  return wasHeld;
}

test("a statement of a former owner stores nothing, whichever it is and however late it arrives", async () => {
  let statements = 0;
  while (await storeLate(statements + 1)) statements += 1;
  expect(statements).toBeGreaterThan(6);
  const [found] = await mine.rows<{ rows: string; ids: string; copies: string; different: string }>(
    sql`SELECT count() AS rows, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies, (SELECT uniqExact(tx_hash) FROM polymarket_fills_by_wallet) AS different FROM polymarket_fills`,
  );
  const all = String((statements + 1) * ROWS);
  expect(found).toEqual({ rows: all, ids: all, copies: all, different: all });
}, 60_000);
