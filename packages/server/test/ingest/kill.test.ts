import { openCheckpoints } from "../../src/ingest/fold/checkpoints.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { foldAll } from "../../src/ingest/fold/fold-all.ts";
import { createFoldDays } from "../../src/ingest/fold/fold-days.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { foldRows } from "../fold/fold-rows.ts";
import { numberedFills } from "./fill-connector.ts";
import { minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const KILLS = thoroughly(5, 1);

test("after kill -9 at any point, the next start leaves no row lost, duplicated or underived", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-kill-"));
  let newest = 0;
  let requested = 0;
  const server = createServer((_request, response) => {
    requested += 1;
    newest += 13;
    response.end(JSON.stringify({ newest }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = requested;
      const child = spawn(process.execPath, [join(import.meta.dirname, "ingest-child.ts"), folder, url], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      await expect.poll(() => requested - before, { timeout: 120_000, interval: 5 }).toBeGreaterThan(5 + kill * 4);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    const total = newest;
    server.removeAllListeners("request");
    server.on("request", (_request, response) => response.end(JSON.stringify({ newest: total })));
    const engines = await openEngines(folder);
    const ingest = startIngest({
      ...engines,
      connectors: [numberedFills],
      derivations: [minuteCounts],
      folds: [walletFold],
      settings: { VENUE_URL: url },
      metrics: new Registry(),
      clock: systemClock,
      signal: new AbortController().signal,
    });
    const next = async () => (await ingest.status()).streams[0]?.cursor?.["next"];
    await expect.poll(next).toBe(total);
    const waiting = async () => (await ingest.status()).derivations[walletFold.name];
    await expect.poll(waiting).toBe(0);
    await ingest.stop();
    const days = await foldRows(engines.store, walletFold.into);
    const engine = {
      fold: walletFold,
      store: engines.store,
      read: foldReader(engines.store),
      checkpoints: openCheckpoints(walletFold),
    };
    const closed = createFoldDays(systemClock.now).over();
    expect((await foldAll(engine, { sinceMs: 0, closed, signal: new AbortController().signal })).rows).toBe(0);
    expect(days["wallet_days"]?.length).toBeGreaterThan(0);
    const [stored] = await engines.store.rows<{ fills: string; ids: string; copies: string }>(
      sql`SELECT (SELECT count() FROM polymarket_fills) AS fills, (SELECT uniqExact(tx_hash) FROM polymarket_fills) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies`,
    );
    expect(stored).toEqual({ fills: String(total), ids: String(total), copies: String(total) });
    const minutes = await engines.store.rows<{ minute: string; trades: string }>(
      sql`SELECT toString(toUnixTimestamp(minute)) AS minute, toString(trade_count) AS trades FROM polymarket_candles_1m FINAL ORDER BY minute`,
    );
    const truth = new Map<number, number>();
    for (let id = 0; id < total; id += 1) {
      const minute = Math.floor((START + id * 7) / 60) * 60;
      truth.set(minute, (truth.get(minute) ?? 0) + 1);
    }
    expect(minutes.map(({ minute, trades }) => [Number(minute), Number(trades)])).toEqual([...truth]);
    await engines.close();
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 400_000);
