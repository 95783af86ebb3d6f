import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDemoKey } from "../../../../exchange/src/kalshi/access/api-access.ts";
import { serveKalshi } from "../../../../exchange/src/kalshi/serve-kalshi.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { kalshiBookStream } from "../../../src/connectors/kalshi/book.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { sql } from "../../../src/definition/sql.ts";
import { createBudget } from "../../../src/ingest/budget.ts";
import { systemClock } from "../../../src/ingest/clock.ts";
import { createPark } from "../../../src/ingest/control/park-page.ts";
import { createDeriver } from "../../../src/ingest/derive.ts";
import { runSocket } from "../../../src/ingest/socket/run-socket.ts";
import { createStreamWatch } from "../../../src/ingest/stream-watch.ts";
import { createWrite } from "../../../src/ingest/write.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { httpFeed } from "./http-feed.ts";
import { lossyProxy } from "./lossy-proxy.ts";
import { replay } from "./replay.ts";

const FROM = Date.UTC(2026, 8, 20);
const key = makeDemoKey("rsa");
let now = FROM + 2 * 86_400_000;
let world: World;
let endpoint: Awaited<ReturnType<typeof serveKalshi>>;
let engines: Awaited<ReturnType<typeof openEngines>>;
const active = () => world.kalshi.markets.filter(({ status }) => status === "active").map(({ ticker }) => ticker);

beforeAll(async () => {
  const size = { events: 3, wallets: 200, activity: 0.3, kalshi_markets: 40 };
  world = createWorld({ seed: 9, clock: () => now, from_ms: FROM, days: 2, ...size });
  endpoint = await serveKalshi({ world, host: "127.0.0.1", port: 0, keys: [key], wall: Date.now });
  engines = await openEngines();
});
afterAll(async () => {
  await endpoint.close();
  await engines.close();
});

describe("Kalshi's books through the socket runner into the store", () => {
  it("end up equal to the world's despite dropped frames, repeats and disconnects", async () => {
    const fates = { 0: "drop", 50: "twice", 390: "cut" } as const;
    const proxy = await lossyProxy(
      endpoint.kalshi_ws_url,
      (frame) => fates[(frame % 400) as 0] ?? (frame % 97 === 0 ? "drop" : "pass"),
    );
    const stop = new AbortController();
    const deriver = createDeriver({ ...engines, derivations: [], clock: systemClock });
    const watch = createStreamWatch("kalshi-book");
    const running = runSocket({
      ...engines,
      connector: kalshiBookStream,
      baseUrl: proxy.url,
      settings: { KALSHI_KEY_ID: key.key_id, KALSHI_PRIVATE_KEY: key.private_key_pem, KALSHI_WS_URL: proxy.url },
      budget: createBudget(kalshiBookStream.host, systemClock),
      feed: httpFeed(endpoint.kalshi_url),
      write: createWrite({ ...engines, deriver, announceKnown: false }),
      park: createPark(engines.db, systemClock),
      known: async () => active(),
      clock: systemClock,
      watch,
      signal: stop.signal,
      pace: { reconnect: { firstMs: 20, maxMs: 100 }, refreshSeconds: 0.5, saveSeconds: 0.1, flushMs: 50 },
    });
    const synced = () => expect.poll(() => watch.state, { interval: 20 }).toBe("caught_up");
    await synced();
    for (let minute = 0; minute < 60; minute += 1) {
      now += 30_000;
      world.advanceTo(now);
      await sleep(30);
    }
    // A final quiet stretch, so that a loss at the very end is detected and repaired.
    await expect
      .poll(async () => {
        now += 5000;
        world.advanceTo(now);
        await sleep(400);
        return (await wrongBooks()).length;
      })
      .toBe(0);
    stop.abort(new Error("stopping"));
    await running;
    proxy.close();
    expect(proxy.count.drop).toBeGreaterThan(5);
    expect(proxy.count.connections).toBeGreaterThan(1);
    const gaps = await engines.db.selectFrom("gaps").selectAll().execute();
    expect(gaps.length).toBeGreaterThan(1);
    const parked = await engines.db.selectFrom("parked").selectAll().execute();
    expect(parked).toEqual([]);
  });
});

const same = (a: Map<number, number>, b: Map<number, number>) =>
  a.size === b.size && [...a].every(([price, size]) => b.get(price) === size);

/** Tickers of open markets whose stored book differs from the world's. */
async function wrongBooks(): Promise<string[]> {
  const rows = await engines.store.rows<InsertRow>(
    sql`SELECT instrument, toString(ts) AS ts, seq, toString(kind) AS kind, arrayMap(x -> [toString(x.1), toString(x.2)], bids) AS bids, arrayMap(x -> [toString(x.1), toString(x.2)], asks) AS asks FROM book_events ORDER BY instrument, ts, seq`,
  );
  return active().filter((ticker) => {
    const book = replay(rows.filter((row) => row["instrument"] === ticker));
    const truth = world.kalshi.market(ticker)!.book();
    const yes = new Map(truth.yes.map((level) => [level.price_e4 / 10, level.size_cc]));
    const no = new Map(truth.no.map((level) => [(10_000 - level.price_e4) / 10, level.size_cc]));
    return !same(book.yes, yes) || !same(book.no, no);
  });
}
