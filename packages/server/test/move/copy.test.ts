import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tables } from "../../src/catalogue.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { isEqual, type Compared } from "../../src/store/copy/compare.ts";
import { openJournal } from "../../src/store/copy/copy-journal.ts";
import { compareAll, copyStore } from "../../src/store/copy/copy-store.ts";
import type { Move } from "../../src/store/copy/move.ts";
import { toMovedTables } from "../../src/store/copy/moved-table.ts";
import { openRowPipe } from "../../src/store/copy/row-pipe.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fill, hex, insertSamples, market, table } from "../fixtures/sample-rows.ts";

const MOVED = toMovedTables(tables);
const SMALL_SLICES = 20_000;

let source: Awaited<ReturnType<typeof openTestStore>>;
let target: Awaited<ReturnType<typeof openTestStore>>;
let move: Move;
let folder: string;
const pipes: ReturnType<typeof openRowPipe>[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-move-"));
  [source, target] = await Promise.all([openTestStore(), openTestStore()]);
  pipes.push(
    openRowPipe(() => source.address),
    openRowPipe(() => target.address),
  );
  const [from, to] = pipes;
  if (!from || !to) throw new Error("no pipes");
  move = {
    source: { store: source, pipe: from },
    target: { store: target, pipe: to },
    now: Date.now,
    sliceBytes: SMALL_SLICES,
  };
  await insertSamples(source);
  await source.insert(table("polymarket_markets"), [market(3, { question: "Will it snow on day 3?" })]);
});
afterAll(async () => {
  await Promise.all(pipes.map((pipe) => pipe.close()));
  await source.close();
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});

const journalOf = (name: string) => openJournal(join(folder, `${name}.json`), Date.now());
const copy = (name = "copy") => copyStore(move, MOVED, journalOf(name), { passes: 3 });
const differing = (compared: readonly Compared[]) =>
  compared
    .filter((one) => !isEqual(one))
    .map(({ table: { name }, differences }) => [name, differences.map((one) => one.bucket)]);
const count = async (store: typeof source, name: string) =>
  Number((await store.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM ${fromDefinition(name)}`))[0]?.n);

describe("a copy of every table", { timeout: 300_000 }, () => {
  test("is the same in every bucket, its sort orders and superseded versions too", async () => {
    const compared = await copy();
    expect(differing(compared)).toEqual([]);
    expect(await count(target, "polymarket_fills")).toBe(250);
    for (const name of ["polymarket_fills_by_wallet", "polymarket_markets_versions", "social_posts"])
      expect([name, await count(target, name)]).toEqual([name, await count(source, name)]);
    expect(await count(target, "polymarket_markets_versions")).toBe(1);
    expect(journalOf("copy").progress.tables["polymarket_fills"]?.slices.length).toBeGreaterThan(1);
  });

  test("follows what was stored, took another's place, or went since", async () => {
    await source.insert(table("polymarket_fills"), [
      fill(400, { source: "data_api_v2", tx_hash: hex(4000), order_hash: hex(4001) }),
      fill(401),
    ]);
    expect(differing(await copy())).toEqual([]);
    // The stand-in gives way to the real row; another row is taken away; a market and a post change or go.
    const real = await source.insert(table("polymarket_fills"), [
      fill(400, { tx_hash: hex(4000), order_hash: hex(4002) }),
    ]);
    expect(real.replaced).toBe(1);
    for (const name of ["polymarket_fills", "polymarket_fills_by_wallet", "polymarket_fills_by_token"])
      await source.run(fromDefinition(`DELETE FROM ${name} WHERE block_number = 1000`));
    await source.run(sql`ALTER TABLE social_posts DROP PARTITION ${sql`tuple(toDate('2025-10-09'))`}`);
    await source.insert(table("polymarket_markets"), [market(4, { question: "Will it hail on day 4?" })]);
    const before = await compareAll(move, MOVED);
    expect(differing(before).map(([name]) => name)).toContain("social_posts");
    expect(differing(await copy())).toEqual([]);
    expect(await count(target, "social_posts")).toBe(await count(source, "social_posts"));
    expect(await count(target, "polymarket_fills")).toBe(251);
  });

  test("is the same in the end where rows are stored and go while it is made", async () => {
    const over = new AbortController();
    const gathering = (async () => {
      for (let index = 500; !over.signal.aborted; index += 2) {
        await source.insert(table("polymarket_fills"), [fill(index), fill(index + 1)]);
        await source.insert(table("polymarket_markets"), [market(index % 7, { volume_total: String(index) })]);
        await source.run(
          fromDefinition(`DELETE FROM polymarket_prints WHERE cityHash64(token_id, ts, seq) % 40 = ${index % 40}`),
        );
      }
    })();
    const compared = await copy();
    over.abort();
    await gathering;
    // What differs is where rows are stored now, and nothing else.
    const live = new Set([
      "polymarket_fills",
      "polymarket_markets",
      "polymarket_markets_versions",
      "polymarket_prints",
    ]);
    expect(differing(compared).filter(([name]) => !live.has(String(name)))).toEqual([]);
    expect(differing(await copy())).toEqual([]);
    expect(await count(target, "polymarket_fills")).toBe(await count(source, "polymarket_fills"));
  });

  test("names table and bucket of a single other value, and makes them anew", async () => {
    await target.run(
      fromDefinition(
        "ALTER TABLE kalshi_trades UPDATE yes_price = yes_price + 0.000001 WHERE trade_id = (SELECT min(trade_id) FROM kalshi_trades) SETTINGS mutations_sync = 1",
      ),
    );
    const found = (await compareAll(move, MOVED)).find((one) => !isEqual(one));
    expect(found?.table.name).toBe("kalshi_trades");
    expect(found?.differences).toHaveLength(1);
    expect(differing(await copy())).toEqual([]);
  });
});
