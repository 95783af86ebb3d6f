import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import { openEngineLine, type EngineLine } from "../../src/store/engine-line.ts";
import { TableWriter } from "../../src/store/insert.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import type { InsertMode } from "../../src/store/store.ts";
import { risingStamps } from "../../src/store/stamps.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, bookEvent, fill, hex, kalshiTrade, table } from "../fixtures/sample-rows.ts";

const STEPS = thoroughly(1500, 14);
const FIRST = 1000;
const LATER = 20_000;
const BLOCKS = 3;
const BLOCK_SECONDS = 60;
const fills = table("polymarket_fills");
const transfers = table("polymarket_transfers");
const books = table("book_events");
const trades = table("kalshi_trades");
const random = seededRandom();
const below = (count: number): number => Math.floor(random() * count);
const before = (): Promise<void> => Promise.resolve();

/** One database is written by a writer that knows it is the only one, the other by one that compares everything. */
let stores: readonly [OpenStore, OpenStore];
beforeAll(async () => {
  stores = [await openTestStore(), await openTestStore()];
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

const blockTime = (block: number): string => new Date((FILL_START + block * BLOCK_SECONDS) * 1000).toISOString();
const inBlock = (block: number, change: InsertRow = {}): InsertRow =>
  fill(block, { ts: blockTime(block), tx_hash: hex(block), block_number: block, ...change });
/** A fill of the same transaction as the Data API reports it. */
const provisional = (block: number): InsertRow =>
  inBlock(block, { order_hash: hex(block + 900_000), source: "data_api_v2", block_number: 0 });
const transfer = (block: number, place = 0): InsertRow => ({
  ts: blockTime(block),
  tx_hash: hex(block),
  log_index: 1,
  block_number: block,
  place,
  operator: hex(1, 40),
  from_wallet: hex(block % 5, 40),
  to_wallet: hex(block % 4, 40),
  token_id: "7",
  shares: "0.5",
});
const book = (instrument: string, ms: number, seq = 0): InsertRow => ({
  ...bookEvent(ms, seq, "change", [["0.1", "1"]], []),
  instrument,
});

type Through = { readonly writer: TableWriter; readonly requested: string[]; readonly close: () => Promise<void> };

/** A writer of one table and the statements it sends to the engine; `isBroken` ones fail before they are sent. */
async function writerOf(
  { address }: OpenStore,
  one: TableDefinition,
  isOwn: boolean,
  isBroken: (text: string) => boolean = () => false,
): Promise<Through> {
  const line = await openEngineLine({ address });
  const requested: string[] = [];
  const listening = (own: ReturnType<EngineLine["connection"]>): typeof own => ({
    ...own,
    send: (statement, more) => {
      requested.push(statement.text.replace(/ \(.*/s, ""));
      if (isBroken(statement.text)) return Promise.reject(new Error("the engine is away"));
      return own.send(statement, more);
    },
  });
  const [connection, shards] = [listening(line.connection()), listening(line.shards())];
  const writer = new TableWriter(
    { ...line, connection: () => connection, shards: () => shards, isOwn },
    one,
    risingStamps(),
    0,
  );
  const close = async (): Promise<void> => {
    await writer.close();
    await line.close();
  };
  return { writer, requested, close };
}

/** Rows of each sort order, without their ingestion time. */
async function rowsOf(store: OpenStore, { name, columns, copies }: TableDefinition): Promise<readonly string[]> {
  const shown = Object.keys(columns).filter((column) => column !== "ingested_at");
  const found = [name, ...Object.keys(copies ?? {})].map((each) =>
    store.rows<{ row: string }>(
      fromDefinition(`SELECT toString(tuple(${shown.join(", ")})) AS row FROM ${each} ORDER BY row`),
    ),
  );
  return (await Promise.all(found)).flatMap((rows, index) => rows.map(({ row }) => `${index} ${row}`));
}

type Step = (writer: TableWriter) => Promise<unknown>;
type Steps = {
  readonly one: TableDefinition;
  /** The step at a position: mostly new rows, sometimes rows sent before, or both. */
  readonly next: (at: number) => Step;
  /** A step whose rows are certainly new. */
  readonly newer: (at: number) => Step;
};

const near = (at: number): number => at - (below(3) === 0 ? below(40) : 0);
const some = <Row>(make: (index: number) => Row): Row[] =>
  Array.from({ length: 1 + below(3) }, (_, index) => make(index));

const inserting =
  (rows: readonly InsertRow[], mode?: InsertMode): Step =>
  (writer) =>
    writer.insert(rows, mode);

const replacing =
  (from: number, rows: readonly InsertRow[]): Step =>
  (writer) => {
    const to = from + BLOCKS - 1;
    return writer.replace(rows, { scope: { from, to, since: blockTime(from - 1), until: blockTime(to) }, before });
  };

const blocksFrom = (from: number): number[] => Array.from({ length: BLOCKS }, (_, index) => from + index);

const chainSteps = (one: TableDefinition, make: (block: number) => InsertRow): Steps => ({
  one,
  newer: (at) => replacing(at, [make(at)]),
  next: (at) => {
    const from = near(at * BLOCKS);
    const blocks = blocksFrom(from).filter(() => below(3) > 0);
    return replacing(from, blocks.map(make));
  },
});

const ofChain = chainSteps(fills, inBlock);
const trade = (at: number, index: number): InsertRow => ({
  ...kalshiTrade(0),
  created_time: new Date(at * 700).toISOString(),
  trade_id: `trade ${at} ${index}`,
});

const everyStep: readonly Steps[] = [
  {
    ...ofChain,
    next: (at) => {
      if (below(3) > 0) return ofChain.next(at);
      // From a transaction of these or the next blocks, or of much older ones.
      const first = below(2) === 0 ? at * BLOCKS : at * BLOCKS - 30;
      return inserting(some((index) => provisional(first + index)));
    },
  },
  chainSteps(transfers, transfer),
  {
    one: books,
    newer: (at) => inserting([book("token", at * 10)]),
    next: (at) => inserting(some((index) => book(`token-${below(3)}`, near(at) * 10, index))),
  },
  {
    one: trades,
    newer: (at) => inserting([trade(at, 0)]),
    next: (at) =>
      inserting(
        some((index) => trade(near(at), index)),
        below(2) === 0 ? "if_absent" : undefined,
      ),
  },
];

test.each(everyStep)(
  "$one.name: a sole writer stores the same rows as one that compares everything",
  async ({ one, next, newer }) => {
    const [alone, comparing] = [await writerOf(stores[0], one, true), await writerOf(stores[1], one, false)];
    const take = (step: Step) => Promise.all([alone, comparing].map(({ writer }) => step(writer)));
    for (let at = FIRST; at < FIRST + STEPS; at += 1) {
      const step = next(at);
      for (let time = 0; time <= below(2); time += 1) await take(step);
    }
    await take(newer(LATER));
    alone.requested.length = 0;
    await take(newer(2 * LATER));
    expect(alone.requested).toEqual([...Object.keys(one.copies ?? {}), one.name].map((name) => `INSERT INTO ${name}`));
    const [stored, wanted] = await Promise.all(stores.map((store) => rowsOf(store, one)));
    expect(stored).toEqual(wanted);
    await Promise.all([alone, comparing].map(({ close }) => close()));
  },
);

test("sends a batch newer than all stored rows to each sort order, the table last, and compares other batches", async () => {
  const { writer, requested, close } = await writerOf(stores[0], transfers, true);
  const replaced = async (from: number, to: number, blocks: readonly number[]) => {
    requested.length = 0;
    const scope = { from, to, since: blockTime(from - 1), until: blockTime(to) };
    const { stored } = await writer.replace(
      blocks.map((block) => transfer(block)),
      { scope, before },
    );
    return [stored, requested.some((text) => text.includes("staged")) ? "compared" : requested];
  };
  const [start, sorted] = [100_000, Object.keys(transfers.copies ?? {})];
  const sent = [...sorted, transfers.name].map((name) => `INSERT INTO ${name}`);
  expect(await replaced(start, start + 1, [start])).toEqual([1, "compared"]);
  expect(await replaced(start + 2, start + 3, [start + 2, start + 3])).toEqual([2, sent]);
  expect(await replaced(start + 4, start + 5, [])).toEqual([0, []]);
  expect(await replaced(start + 3, start + 3, [start + 3])).toEqual([0, "compared"]);
  expect(await replaced(start + 4, start + 4, [start + 4, start + 4])).toEqual([1, "compared"]);
  await close();
});

test("replaces a provisional row stored before the writer opened with the chain's fill of a later block", async () => {
  const block = 300_000;
  // At the largest allowed distance from its block.
  const early = { ...provisional(block + 1), ts: blockTime(block - 9) };
  await stores[0].insert(fills, [early]);
  const { writer, close } = await writerOf(stores[0], fills, true);
  await replacing(block - BLOCKS + 1, [inBlock(block)])(writer);
  expect(await replacing(block + 1, [inBlock(block + 1)])(writer)).toMatchObject({ stored: 1, replaced: 1 });
  await close();
});

test("sends a book's newer events without comparing, also those of an instrument not seen before", async () => {
  const { writer, requested, close } = await writerOf(stores[0], books, true);
  const at = 100_000_000;
  const insert = async (...rows: readonly InsertRow[]) => {
    requested.length = 0;
    const { stored } = await writer.insert(rows, undefined);
    return [stored, requested.some((text) => text.includes("staged")) ? "compared" : requested.at(-1)];
  };
  const sent = "INSERT INTO book_events";
  expect(await insert(book("one", at), book("two", at + 50))).toEqual([2, sent]);
  expect(await insert(book("one", at + 1), book("three", at + 2))).toEqual([2, sent]);
  expect(await insert(book("one", at + 1))).toEqual([0, "compared"]);
  expect(await insert(book("two", at + 20))).toEqual([1, "compared"]);
  expect(await insert(book("two", at + 60), book("two", at + 60))).toEqual([1, "compared"]);
  expect(await insert({ ...book("two", at), ts: "2025-10-09 08:53:20.500" })).toEqual([1, "compared"]);
  expect(await insert(book("two", at + 61))).toEqual([1, sent]);
  await close();
});

test("stores rows once in each sort order when they are sent again after an insert into one of them failed", async () => {
  const names = [...Object.keys(transfers.copies ?? {}), transfers.name];
  for (const [index, name] of names.entries()) {
    const start = 200_000 + index * 100;
    let isAway = false;
    const { writer, close } = await writerOf(
      stores[0],
      transfers,
      true,
      (text) => isAway && text.startsWith(`INSERT INTO ${name} (`),
    );
    const replace = (block: number) =>
      writer.replace([transfer(block)], {
        scope: { from: block, to: block, since: blockTime(block - 1), until: blockTime(block) },
        before,
      });
    await replace(start);
    isAway = true;
    await expect(replace(start + 1)).rejects.toThrow("the engine is away");
    isAway = false;
    await replace(start + 1);
    const wanted = `block_number IN (${start}, ${start + 1})`;
    for (const each of names) {
      const [row] = await stores[0].rows<{ n: string }>(
        fromDefinition(`SELECT count() AS n FROM ${each} WHERE ${wanted}`),
      );
      expect(Number(row?.n), `${each}, cut off at ${name}`).toBe(2);
    }
    await close();
  }
});

test("a newer row wins in every sort order, also after an insert that was interrupted before the table", async () => {
  const tokenDays = table("wallet_token_days");
  const names = [tokenDays.name, ...Object.keys(tokenDays.copies ?? {})];
  let isAway = false;
  const { writer, close } = await writerOf(
    stores[0],
    tokenDays,
    true,
    (text) => isAway && text.startsWith(`INSERT INTO ${tokenDays.name} `),
  );
  const insert = (shares: string, mode?: InsertMode) =>
    writer.insert([{ ...tokenDay, shares, cost_usd: shares }], mode);
  const held = async (name: string) => {
    const rows = await stores[0].rows<{ shares: string }>(fromDefinition(`SELECT shares FROM ${name} FINAL`));
    return rows.map(({ shares }) => shares);
  };
  await insert("1");
  for (const [shares, mode] of [
    ["3", undefined],
    ["5", "absent"],
  ] as const) {
    isAway = true;
    await expect(insert("2")).rejects.toThrow("the engine is away");
    isAway = false;
    await insert(shares, mode);
    for (const name of names) expect(await held(name), name).toEqual([shares]);
  }
  await close();
});

test("removes rows that an interrupted insert under a clock set ahead left in a copy", async () => {
  const tokenDays = table("wallet_token_days");
  const [copy = ""] = Object.keys(tokenDays.copies ?? {});
  const insert = async (wallet: string, aheadMs: number, isBroken: boolean): Promise<void> => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMs });
    const broken = (text: string): boolean => isBroken && text.startsWith(`INSERT INTO ${tokenDays.name} `);
    const { writer, close } = await writerOf(stores[0], tokenDays, true, broken);
    const inserted = writer.insert([{ ...tokenDay, wallet, shares: "1", cost_usd: "1" }], undefined);
    await inserted.catch((error: unknown) => expect(String(error)).toContain("the engine is away"));
    vi.useRealTimers();
    await close();
  };
  await insert(hex(8, 40), 3_600_000, true);
  await insert(hex(9, 40), 0, false);
  for (const name of [tokenDays.name, copy]) {
    const rows = await stores[0].rows<{ wallet: string }>(
      fromDefinition(
        `SELECT lower(hex(wallet)) AS wallet FROM ${name} FINAL WHERE wallet > unhex('${"0".repeat(39)}7')`,
      ),
    );
    expect(
      rows.map(({ wallet }) => `0x${wallet}`),
      name,
    ).toEqual([hex(9, 40)]);
  }
});

const tokenDay: InsertRow = {
  wallet: hex(1, 40),
  day: "2025-10-09",
  token_id: "7",
  condition_id: hex(7),
  first_at: FILL_START,
  last_at: FILL_START,
  buys: 1,
  sells: 0,
  shares_bought: "1",
  bought_usd: "1",
  fee_usd: "0",
  realized_usd: "0",
  payout: null,
  is_gone: false,
};
