import { afterAll, beforeAll, expect, it } from "vitest";
import { faultPlan } from "../../../../exchange/src/faults/fault-plan.ts";
import { Faults } from "../../../../exchange/src/faults/faults.ts";
import { servePolymarket } from "../../../../exchange/src/polymarket/serve-polymarket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { polymarketTradesDataCheckStream } from "../../../src/connectors/polymarket/trades-data-check.ts";
import { polymarketTradesDataStream } from "../../../src/connectors/polymarket/trades-data.ts";
import type { Batch, Cursor, Feed, PullConnector } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { saveBatch } from "../../../src/ingest/control/save-batch.ts";
import { createStoredFills } from "../../../src/ingest/stored-fills.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { httpFeed } from "./http-feed.ts";
import { collect, pullOptions } from "./memory-feed.ts";

let now = Date.UTC(2026, 10, 19);
let world: World;
let faults: Faults;
let served: Awaited<ReturnType<typeof servePolymarket>>;
let engines: Awaited<ReturnType<typeof openEngines>>;
const cursors = new Map<string, Cursor | undefined>();

beforeAll(async () => {
  const small = { events: 10, wallets: 100, activity: 1.5, kalshi_markets: 2 };
  world = createWorld({ seed: 11, clock: () => now, from_ms: now - 10_800_000, days: 0.125, ...small });
  faults = new Faults(Date.now);
  served = await servePolymarket({
    world,
    data: { cdn: false },
    prepare: (name, app) => {
      if (name === "data") faults.prepare(name, app);
    },
  });
  engines = await openEngines();
});
afterAll(async () => {
  faults.close();
  await engines.close();
  await served.close();
});

const less = ([name, value]: readonly [string, string]): readonly [string, string] =>
  name === "limit" ? [name, String(Math.ceil(Number(value) / 40))] : [name, value];

/** A feed whose pages are a fortieth of the requested size, so that a small world fills many. */
function smallPages(url: string): Feed {
  const feed = httpFeed(url);
  return { ...feed, get: (call, reply) => feed.get({ ...call, query: (call.query ?? []).map(less) }, reply) };
}

async function cycle(connector: PullConnector): Promise<readonly Batch[]> {
  const storedFills = createStoredFills(engines.store, engines.db);
  const cursor = cursors.get(connector.name);
  const taken = await collect(
    connector.pull(pullOptions(smallPages(served.urls.data), { cursor, now: () => now, storedFills })),
  );
  for (const batch of taken.batches) {
    for (const { table, rows, mode } of batch.rows) await engines.store.insert(table, rows, mode);
    await saveBatch(engines.db, connector.name, batch, 0, new Date(now));
  }
  cursors.set(connector.name, taken.cursor);
  return taken.batches;
}

const missing = (batches: readonly Batch[]) => batches.reduce((sum, one) => sum + (one.compared?.missing ?? 0), 0);
const checked = () => Number(cursors.get(polymarketTradesDataCheckStream.name)?.["checked"]);
const legs = async (from: number, to: number): Promise<string[]> => {
  const rows = await engines.store.rows<{ leg: string }>(
    fromDefinition(
      `SELECT concat('0x', lower(hex(tx_hash)), ' ', toString(role), ' ', toString(token_id)) AS leg FROM polymarket_fills WHERE toUnixTimestamp(ts) >= ${from} AND toUnixTimestamp(ts) < ${to} ORDER BY leg`,
    ),
  );
  return rows.map(({ leg }) => leg);
};
const truth = (from: number, to: number): string[] =>
  world.polymarket.matches
    .filter(({ block_ms }) => block_ms >= from * 1000 && block_ms < to * 1000)
    .flatMap((match) =>
      [`${match.tx_hash} taker ${match.taker.token_id}`].concat(
        match.makers.map((maker) => `${match.tx_hash} maker ${maker.token_id}`),
      ),
    )
    .sort();

it("stores the fills of a skipped page once, with their roles", async () => {
  await cycle(polymarketTradesDataStream);
  expect(missing(await cycle(polymarketTradesDataCheckStream))).toBe(0);
  const before = checked();
  now += 1_800_000;
  world.advanceTo(now);
  faults.set(
    faultPlan.parse({ seed: 3, faults: [{ kind: "skip_page", endpoint: "data", path: "/v2/trades", share: 0.3 }] }),
  );
  await cycle(polymarketTradesDataStream);
  expect(faults.status().injected.skip_page?.data).toBeGreaterThan(0);
  faults.clear();
  // As if no transaction had been split across pages, for which the live walk itself waits.
  cursors.set(polymarketTradesDataStream.name, { newest: Math.floor(now / 1000) - 60, seen: 0 });
  await cycle(polymarketTradesDataStream);
  const end = Math.floor(now / 1000) - 400;
  const had = await legs(before, end);
  expect(had.length).toBeLessThan(truth(before, end).length);

  const found: Batch[] = [];
  for (let cycles = 0; cycles < 6 && checked() < end; cycles += 1) {
    found.push(...(await cycle(polymarketTradesDataCheckStream)));
  }
  expect(checked()).toBeGreaterThanOrEqual(end);
  expect(await legs(before, checked())).toEqual(truth(before, checked()));
  expect(missing(found)).toBeGreaterThanOrEqual(truth(before, end).length - had.length);
  const notices = await engines.db.selectFrom("notices").selectAll().execute();
  expect(notices.map(({ text }) => text)).toContain(
    "polymarket-trades-data: a recheck found fills that the first read missed",
  );
});
