import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { openEngineLine, type EngineLine } from "../../src/store/engine-line.ts";
import { fencedLine } from "../../src/store/fence.ts";
import { TableWriter } from "../../src/store/insert.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { risingStamps } from "../../src/store/stamps.ts";
import { StoreError } from "../../src/store/statement.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, market, table } from "../fixtures/sample-rows.ts";

const fills = table("polymarket_fills");
const copies = Object.keys(fills.copies ?? {});
const iso = (second: number): string => new Date(second * 1000).toISOString();

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore(false);
});
afterAll(() => store.close());
beforeEach(async () => {
  for (const name of [fills.name, ...copies]) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
});

/** Number of rows in each sort order. */
const counts = (): Promise<number[]> =>
  Promise.all(
    [fills.name, ...copies].map(async (name) => {
      const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${name}`));
      return Number(row?.n);
    }),
  );
const all = (n: number): number[] => [n, ...copies.map(() => n)];

test("stores a row once in every sort order if a batch contains it twice or it is sent again", async () => {
  expect(await store.insert(fills, [fill(1), fill(2), fill(2)])).toEqual({ stored: 2, known: 1 });
  expect(await store.insert(fills, [fill(1), fill(2), fill(3)])).toEqual({ stored: 1, known: 2 });
  expect(await counts()).toEqual(all(3));
});

/** A fill as the Data API reports it, without the order's own hash. */
const reported = (index: number): InsertRow => fill(index, { order_hash: hex(index + 77), source: "data_api_v2" });

test("skips a fill that the Data API reports after the chain, and replaces one that it reported before", async () => {
  await store.insert(fills, [fill(1, { source: "chain_v2" }), reported(2)]);
  expect(await store.insert(fills, [reported(1)])).toEqual({ stored: 0, known: 1 });
  expect(await store.insert(fills, [fill(2, { source: "chain_v2" })])).toMatchObject({ stored: 1, replaced: 1 });
  expect(await counts()).toEqual(all(2));
});

/** A fill of the given block, one row per block. */
const inBlock = (block: number): InsertRow => fill(block, { ts: FILL_START + block * 2, block_number: block });
const scope = { from: 1001, to: 1002, since: iso(FILL_START + 2000), until: iso(FILL_START + 2004) };
const before = (): Promise<void> => Promise.resolve();

test("removes rows of orphaned blocks, including the last block, and keeps those of other blocks", async () => {
  await store.insert(fills, [1000, 1001, 1002, 1003].map(inBlock));
  expect(await store.replace(fills, [inBlock(1001)], { scope, before })).toMatchObject({ taken: 1 });
  expect(await counts()).toEqual(all(3));
});

test("looks for stale rows only in blocks that may have stored rows", async () => {
  const line = await openEngineLine({ address: store.address });
  const requested: string[] = [];
  const own = line.connection();
  const listening: typeof own = {
    ...own,
    send: (statement, more) => {
      requested.push(statement.text);
      return own.send(statement, more);
    },
  };
  const writer = new TableWriter({ ...line, connection: () => listening, isOwn: true }, fills, risingStamps(), 0);
  const replace = async (blocks: readonly number[], from: number, to: number) => {
    requested.length = 0;
    const run = { from, to, since: iso(FILL_START + from * 2 - 2), until: iso(FILL_START + to * 2) };
    const { stored, taken = 0 } = await writer.replace(blocks.map(inBlock), { scope: run, before });
    return { stored, taken, isLookedFor: requested.some((text) => text.includes("hash NOT IN")) };
  };
  await store.insert(fills, [1000, 1001].map(inBlock));
  // Rows stored before by another process are not known until they are read.
  expect(await replace([1002], 1001, 1002)).toEqual({ stored: 1, taken: 1, isLookedFor: true });
  expect(await replace([1003], 1003, 1004)).toEqual({ stored: 1, taken: 0, isLookedFor: false });
  expect(await replace([1004], 1004, 1004)).toEqual({ stored: 1, taken: 0, isLookedFor: false });
  // A reorganisation, and the same range of blocks again.
  expect(await replace([1005], 1003, 1005)).toEqual({ stored: 1, taken: 2, isLookedFor: true });
  expect(await replace([1005], 1003, 1005)).toEqual({ stored: 0, taken: 0, isLookedFor: true });
  expect(await replace([1000], 1000, 1000)).toEqual({ stored: 0, taken: 0, isLookedFor: true });
  expect(await counts()).toEqual(all(3));
  await writer.close();
  await line.close();
});

test("completes a removal that was interrupted at any table on the next attempt", async () => {
  const line = await openEngineLine({ address: store.address });
  for (let cutAt = 1; cutAt <= copies.length; cutAt += 1) {
    await store.insert(fills, [1000, 1001, 1002].map(inBlock));
    let version = 1n;
    const write = (through: EngineLine) =>
      new TableWriter(
        through,
        fills,
        { next: () => (version += 1n), startAfter: () => undefined, newest: () => 0n },
        0,
      ).replace([inBlock(1001)], { scope, before });
    await expect(write(cutAfter(line, cutAt))).rejects.toThrow("the engine is away");
    await write(line);
    expect(await counts(), `cut after ${cutAt} deletions`).toEqual(all(2));
  }
  await line.close();
});

/** A connection to the engine that breaks after the given number of deletions. */
function cutAfter(line: EngineLine, deletions: number): EngineLine {
  let left = deletions;
  return {
    ...line,
    shards: () => ({
      ...line.shards(),
      send: async (...given) => {
        if (left === 0) throw new Error("the engine is away");
        left -= 1;
        return line.shards().send(...given);
      },
    }),
  };
}

test("stores a batch once when it is sent again with more rows after any of its statements was refused", async () => {
  const line = await openEngineLine({ address: store.address });
  const stamps = risingStamps();
  let refusedAt = 0;
  for (let isRefused = true; isRefused; refusedAt += 1) {
    let left = Number.POSITIVE_INFINITY;
    const check = (): void => {
      left -= 1;
      if (left === 0) throw new StoreError("disk_full", 243, "the disk is full");
    };
    const writer = new TableWriter({ ...line, ...fencedLine(line, check), isOwn: true }, fills, stamps, 0);
    await writer.insert([fill(1)], undefined);
    left = refusedAt + 1;
    isRefused = await writer.insert([fill(2)], undefined).then(
      () => false,
      () => true,
    );
    left = Number.POSITIVE_INFINITY;
    await writer.insert([fill(2), fill(3)], undefined);
    expect(await counts(), `refused at statement ${refusedAt + 1}`).toEqual(all(3));
    await writer.close();
    for (const name of [fills.name, ...copies]) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
  }
  // Staged, compared three times, stored in every sort order, and emptied twice.
  expect(refusedAt).toBeGreaterThan(7);
  await line.close();
});

test("a bound text arrives unchanged, alone and in a list", async () => {
  for (const text of ["it's", "\\", "\\'", "a\tb\nc", "'); DROP TABLE x --", "\0", "é"]) {
    const [row] = await store.rows(
      sql`SELECT ${bind("String", text)} AS t, ${bind("Array(String)", [text, "b"])} AS l`,
    );
    expect(row).toEqual({ t: text, l: [text, "b"] });
  }
});

test("stamps rows after the stored ones when the clock was set back, so that the newest wins and is found", async () => {
  const markets = table("polymarket_markets");
  const newest = async (name: string, stamp: string): Promise<bigint> => {
    const [row] = await store.rows<{ at: string }>(fromDefinition(`SELECT toString(max(${stamp})) AS at FROM ${name}`));
    return BigInt(row?.at ?? 0);
  };
  await store.insert(markets, [market(1, { question: "before" })]);
  await store.insert(fills, [fill(1)]);
  const [ofMarkets, ofFills] = [
    await newest(markets.name, "version"),
    await newest(fills.name, "toUnixTimestamp64Micro(ingested_at)"),
  ];
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  const later = await openStore({ address: store.address });
  try {
    await later.insert(markets, [market(1, { question: "after" })]);
    await later.insert(fills, [fill(2)]);
  } finally {
    vi.useRealTimers();
    await later.close();
  }
  const [kept] = await store.rows<{ question: string }>(
    fromDefinition(`SELECT question FROM ${markets.name} FINAL WHERE gamma_id = '1'`),
  );
  expect(kept?.question).toBe("after");
  expect(await newest(markets.name, "version")).toBeGreaterThan(ofMarkets);
  expect(await newest(fills.name, "toUnixTimestamp64Micro(ingested_at)")).toBeGreaterThan(ofFills);
});

const question = (text: string): InsertRow => market(50, { question: text });

test("keeps the last row of a key in a batch, also if it is the one that is stored already", async () => {
  const markets = table("polymarket_markets");
  const own = await openTestStore(true);
  try {
    for (const at of [store, own]) {
      await at.insert(markets, [question("stored")]);
      await at.insert(markets, [question("between"), question("stored")]);
      const [kept] = await at.rows(fromDefinition(`SELECT question FROM ${markets.name} FINAL WHERE gamma_id = '50'`));
      expect(kept).toEqual({ question: "stored" });
      await at.insert(markets, [question("stored"), question("last")]);
      const [changed] = await at.rows(
        fromDefinition(`SELECT question FROM ${markets.name} FINAL WHERE gamma_id = '50'`),
      );
      expect(changed).toEqual({ question: "last" });
    }
  } finally {
    await own.close();
  }
});

test("does not take rows for stored that an engine lost with its staging tables", async () => {
  const markets = table("polymarket_markets");
  const line = await openEngineLine({ address: store.address });
  const own = line.connection();
  let isRestarting = true;
  const connection = {
    ...own,
    send: async (...[statement, more]: Parameters<typeof own.send>) => {
      const reply = await own.send(statement, more);
      const staged = /^INSERT INTO (staged_\w+)/.exec(statement.text)?.[1];
      // After a restart the engine has these tables, but empty.
      if (isRestarting && staged !== undefined) await store.run(fromDefinition(`TRUNCATE TABLE ${staged}`));
      return reply;
    },
  };
  const writer = new TableWriter({ ...line, connection: () => connection }, markets, risingStamps(), 0);
  await expect(writer.insert([market(60)], "absent")).rejects.toThrow("the engine was restarted");
  isRestarting = false;
  expect(await writer.insert([market(60)], "absent")).toEqual({ stored: 1, known: 0 });
  expect(await store.rows(sql`SELECT 1 AS one FROM ${markets} WHERE gamma_id = '60'`)).toHaveLength(1);
  await writer.close();
  await line.close();
});
