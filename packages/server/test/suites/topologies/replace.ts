import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import type { OpenStore } from "../../../src/store/open-store.ts";
import type { Taken } from "../../../src/store/store.ts";
import { FILL_START, fill, hex, table } from "../../fixtures/sample-rows.ts";
import { DIFFERENT_TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";

const fills = table("polymarket_fills");
const copies = Object.keys(fills.copies ?? {});
const iso = (second: number): string => new Date(second * 1000).toISOString();

/** One fill per block 1000, 1001…, two seconds apart. */
const inBlock = (block: number, change: InsertRow = {}): InsertRow =>
  fill(block, { ts: FILL_START + block * 2, block_number: block, ...change });
const scope = (from: number, to: number) => ({
  from,
  to,
  since: iso(FILL_START + (from - 1) * 2),
  until: iso(FILL_START + to * 2),
});
const named = (block: number, order = block, log = order): string => `${block}:${hex(order, 4).slice(2)}:${log}`;

describe.each(DIFFERENT_TOPOLOGIES)("$name:", ({ open }) => {
  let store: TopologyStore;
  beforeAll(async () => (store = await open()));
  afterAll(() => store.close());
  beforeEach(async () => {
    for (const name of [fills.name, ...copies]) await store.alter(fromDefinition(`TRUNCATE TABLE ${name}`));
  });

  const said: Taken[] = [];
  const replace = (rows: readonly InsertRow[], from: number, to: number, by: OpenStore | TopologyStore = store) =>
    by.replace(fills, rows, { scope: scope(from, to), before: async (taken) => void said.push(taken) });

  async function held(): Promise<string[]> {
    const lists = await Promise.all(
      [fills.name, ...copies].map((name) =>
        store.rows<{ row: string }>(
          fromDefinition(
            `SELECT concat(toString(block_number), ':', lower(hex(substring(order_hash, 31))), ':', toString(log_index)) AS row FROM ${name} ORDER BY row`,
          ),
        ),
      ),
    );
    const [own = [], ...others] = lists.map((rows) => rows.map(({ row }) => row));
    for (const other of others) expect(other).toEqual(own);
    return own;
  }

  test("deletes rows of a block that are no longer reported, in every sort order, and keeps others", async () => {
    await store.insert(
      fills,
      [1000, 1001, 1002, 1003].map((block) => inBlock(block)),
    );
    said.length = 0;
    expect(await replace([inBlock(1001)], 1001, 1002)).toEqual({ stored: 0, known: 1, taken: 1 });
    expect(said.map(({ rows }) => rows)).toEqual([1]);
    expect(await held()).toEqual([named(1000), named(1001), named(1003)]);
  });

  test("a repeat deletes nothing and reports no deletion", async () => {
    // The chain reports this number, but only rows that replaced a provisional row store it.
    const reported = [inBlock(1001, { alike_number: 1 })];
    await replace(reported, 1001, 1002);
    said.length = 0;
    expect(await replace(reported, 1001, 1002)).toEqual({ stored: 0, known: 1 });
    expect(said).toEqual([]);
  });

  test("empties blocks without any row", async () => {
    await store.insert(
      fills,
      [1000, 1001].map((block) => inBlock(block)),
    );
    expect(await replace([], 1000, 1001)).toEqual({ stored: 0, known: 0, taken: 2 });
    expect(await held()).toEqual([]);
  });

  test("empties blocks after everything stored too, once they have rows", async () => {
    expect(await replace([], 2000, 2001)).toEqual({ stored: 0, known: 0 });
    expect(await replace([], 2002, 2003)).toEqual({ stored: 0, known: 0 });
    await store.insert(fills, [inBlock(2005)]);
    expect(await replace([], 2004, 2005)).toEqual({ stored: 0, known: 0, taken: 1 });
    expect(await replace([inBlock(2007)], 2006, 2007)).toEqual({ stored: 1, known: 0 });
    expect(await replace([], 2006, 2007)).toEqual({ stored: 0, known: 0, taken: 1 });
    expect(await held()).toEqual([]);
  });

  test("stores a transaction once that moved to a block of another time, or only within its block", async () => {
    await store.insert(
      fills,
      [1000, 1001, 1002].map((block) => inBlock(block)),
    );
    const moved = [inBlock(1000, { log_index: 7 }), { ...inBlock(1001), block_number: 1002, ts: inBlock(1002)["ts"] }];
    expect(await replace(moved, 1000, 1002)).toMatchObject({ stored: 2, taken: 3 });
    expect(await held()).toEqual([named(1000, 1000, 7), named(1002, 1001)]);
  });

  test("does not lose a row that moved to a block before the scope along with its old block", async () => {
    await store.insert(fills, [inBlock(1005)]);
    await replace([inBlock(1005, { block_number: 1004 })], 1000, 1004);
    await replace([], 1005, 1009);
    expect(await held()).toEqual([named(1004, 1005)]);
  });

  test("keeps provisional rows and rows of excluded transactions", async () => {
    const known = inBlock(1002, { tx_hash: hex(77) });
    await store.insert(fills, [inBlock(1001, { block_number: 0, source: "data_api_v2" }), known]);
    const except = { ...scope(1000, 1003), except: [hex(77)] };
    expect(await store.replace(fills, [], { scope: except, before: async () => undefined })).toEqual({
      stored: 0,
      known: 0,
    });
    expect((await held()).length).toBe(2);
  });

  test("deletes more rows than one deletion lists", async () => {
    const many = Array.from({ length: 5200 }, (_, index) => inBlock(1000 + (index % 40), { order_hash: hex(index) }));
    await store.insert(fills, many);
    expect(await replace(many.slice(0, 10), 1000, 1040)).toEqual({ stored: 0, known: 10, taken: 5190 });
    expect((await held()).length).toBe(10);
  });

  test("removes copies of a cut-off insert that never reached the table if its blocks are gone", async () => {
    await store.insert(fills, [inBlock(1000)]);
    await store.insert(fills, [inBlock(1001)]);
    await store.alter(
      fromDefinition(`ALTER TABLE ${fills.name} DELETE WHERE block_number = 1001 SETTINGS mutations_sync = 1`),
    );
    const next = await store.again();
    await replace([inBlock(1002)], 1001, 1002, next);
    await next.close();
    expect(await held()).toEqual([named(1000), named(1002)]);
  });

  test("repairs a deletion that was cut off before the table if the row turns out to stay", async () => {
    await store.insert(
      fills,
      [1000, 1001].map((block) => inBlock(block)),
    );
    await store.alter(fromDefinition(`DELETE FROM ${copies[0]} WHERE block_number = 1001`));
    await store.mend(fills, iso(FILL_START + 1900), iso(FILL_START + 2100));
    await store.mend(fills, iso(FILL_START + 1900), iso(FILL_START + 2100));
    expect(await held()).toEqual([named(1000), named(1001)]);
  });
});
