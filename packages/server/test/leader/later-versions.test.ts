import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql } from "../../src/definition/sql.ts";
import { versionAhead } from "../../src/ingest/rebuild.ts";
import { asLeader } from "../../src/main/as-leader.ts";
import { openStore } from "../../src/store/open-store.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { manualClock } from "../ingest/manual-clock.ts";
import { openEngines } from "../ingest/open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

const clock = manualClock();

/** The version of rows that this process derives while it leads. */
const versionAsLeader = (): Promise<bigint> =>
  asLeader(
    { databaseUrl: "postgres://shared", leaseSeconds: 30 },
    engines,
    { log: engines.log, signal: new AbortController().signal, isAnyStore: true },
    ({ store }) => versionAhead(polymarketCandles, { store, clock }),
  );

test("rows derived after the lead was taken again replace those of the leader in between", async () => {
  await versionAsLeader();
  // Written by a process on a machine whose clock is ahead of this one's.
  const theirs = (BigInt(clock.now()) + 60_000n) * 1000n;
  const other = await openStore({ address: engines.store.address });
  await other.run(
    sql`INSERT INTO ${polymarketCandles} (token_id, minute, trade_count, version) VALUES (7, 0, 1, ${bind("UInt64", theirs)})`,
  );
  await other.close();
  expect(await versionAsLeader()).toBeGreaterThan(theirs);
});
