import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { numberedFills } from "../ingest/fill-connector.ts";
import { minuteCounts } from "../ingest/fill-rows.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { killBefore } from "./engine-killer.ts";

/** While a batch is staged, between two sort orders, before the table itself, and when all of it is stored. */
const STEPS = [
  /^INSERT INTO staged_polymarket_fills/,
  /^INSERT INTO polymarket_fills_by_wallet SELECT/,
  /^INSERT INTO polymarket_fills SELECT/,
  /^TRUNCATE TABLE fresh_polymarket_fills/,
];

test("after kill -9 of the engine at each step of an insert, it restarts and no row is lost or duplicated", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-engine-"));
  let newest = 0;
  const server = createServer((_request, response) => {
    newest += 13;
    response.end(JSON.stringify({ newest }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engines = await openEngines(folder);
  const ingest = startIngest({
    ...engines,
    connectors: [numberedFills],
    derivations: [minuteCounts],
    settings: { VENUE_URL: url },
    metrics: new Registry(),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  try {
    const next = async (): Promise<number> => Number((await ingest.status()).streams[0]?.cursor?.["next"] ?? 0);
    for (const step of STEPS) {
      const before = await next();
      await expect.poll(next).toBeGreaterThan(before);
      const { killed } = killBefore(join(folder, "columns"), step);
      await killed;
      await expect.poll(engines.store.trouble, { interval: 5 }).toMatch(/is restarting \(try/);
      await expect.poll(engines.store.trouble).toBeUndefined();
    }
    const total = newest + 13;
    server.removeAllListeners("request");
    server.on("request", (_request, response) => response.end(JSON.stringify({ newest: total })));
    await expect.poll(next).toBe(total);
    await ingest.stop();
    const [stored] = await engines.store.rows(
      sql`SELECT count() AS fills, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS by_wallet, (SELECT count() FROM polymarket_fills_by_token) AS by_token FROM polymarket_fills`,
    );
    const all = String(total);
    expect(stored).toEqual({ fills: all, ids: all, by_wallet: all, by_token: all });
    const [minutes] = await engines.store.rows(sql`SELECT sum(trade_count) AS trades FROM polymarket_candles_1m FINAL`);
    expect(minutes).toEqual({ trades: all });
  } finally {
    await ingest.stop();
    await engines.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
