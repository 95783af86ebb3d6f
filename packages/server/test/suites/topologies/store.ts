import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tables } from "../../../src/catalogue.ts";
import { bind, fromDefinition, sql } from "../../../src/definition/sql.ts";
import { createStatements } from "../../../src/store/ddl.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { dictionaryText } from "../../../src/store/dictionaries.ts";
import { readMigrations } from "../../../src/store/migrations.ts";
import { StoreError } from "../../../src/store/statement.ts";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import { FILL_START, bookEvent, fill, kalshiTrade, market, table, tokenId } from "../../fixtures/sample-rows.ts";
import { MIGRATIONS } from "../../fixtures/open-test-store.ts";
import { schemaOf } from "../../fixtures/schema-of.ts";
import { DIFFERENT_TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";
import { BOOKS_ANEW, withMigration } from "../../fixtures/with-migration.ts";

describe.each(DIFFERENT_TOPOLOGIES)("$name:", ({ open }) => {
  let store: TopologyStore;
  beforeAll(async () => (store = await open()));
  afterAll(() => store.close());

  const count = async (name: string, where = "1"): Promise<number> => {
    const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${name} WHERE ${where}`));
    return Number(row?.n);
  };

  describe("an insert", () => {
    const fills = table("polymarket_fills");
    const copies = Object.keys(fills.copies ?? {});

    test("is stored once in every sort order, however often it is repeated", async () => {
      const rows = Array.from({ length: 500 }, (_, index) => fill(index));
      expect(await store.insert(fills, rows)).toEqual({ stored: 500, known: 0 });
      expect(await store.insert(fills, rows)).toEqual({ stored: 0, known: 500 });
      expect(await store.insert(fills, [...rows.slice(100), fill(900), fill(900)])).toEqual({ stored: 1, known: 401 });
      for (const name of [fills.name, ...copies]) expect(await count(name)).toBe(501);
    });

    test("that was cut off between the copies and the table leaves no duplicate when it is repeated", async () => {
      const rows = Array.from({ length: 20 }, (_, index) => fill(4000 + index));
      const late = `ts >= toDateTime(${FILL_START + 2000 * 30})`;
      const [first = "", second = ""] = copies;
      await store.insert(fills, rows.slice(0, 8));
      // A process killed during an insert leaves rows in the copies that the table itself lacks.
      await store.alter(fromDefinition(`ALTER TABLE ${fills.name} DELETE WHERE ${late} SETTINGS mutations_sync = 1`));
      await store.alter(fromDefinition(`ALTER TABLE ${second} DELETE WHERE ${late} SETTINGS mutations_sync = 1`));
      expect(await count(first, late)).toBe(8);
      const next = await store.again();
      expect((await next.insert(fills, rows)).stored).toBe(20);
      await next.close();
      for (const name of [fills.name, first, second]) expect(await count(name, late)).toBe(20);
    });

    test("that was cut off is repeated without a duplicate after other rows and a restart", async () => {
      const rows = Array.from({ length: 6 }, (_, index) => fill(6000 + index));
      const late = `ts >= toDateTime(${FILL_START + 3000 * 30})`;
      await store.insert(fills, rows.slice(0, 4));
      await store.alter(fromDefinition(`ALTER TABLE ${fills.name} DELETE WHERE ${late} SETTINGS mutations_sync = 1`));
      const second = await store.again();
      await second.insert(fills, [fill(5500)]);
      await second.close();
      const third = await store.again();
      expect((await third.insert(fills, rows)).stored).toBe(6);
      await third.close();
      for (const name of [fills.name, ...copies]) expect(await count(name, late)).toBe(6);
    });

    test("that was cut off and is never repeated leaves nothing if there is no other writer", async () => {
      const trades = table("kalshi_trades");
      const [copy = ""] = Object.keys(trades.copies ?? {});
      const first = await store.again();
      await first.insert(trades, [1, 2, 3].map(kalshiTrade));
      await first.close();
      await store.alter(
        fromDefinition(`ALTER TABLE ${trades.name} DELETE WHERE trade_id != 'trade-1' SETTINGS mutations_sync = 1`),
      );
      const second = await store.again();
      await second.insert(trades, [kalshiTrade(9)]);
      await second.close();
      const ids = await store.rows(fromDefinition(`SELECT trade_id FROM ${copy} ORDER BY trade_id`));
      expect(ids).toEqual([{ trade_id: "trade-1" }, { trade_id: "trade-9" }]);
    });

    test("of a table with versions keeps the newest row, and only if it changes something", async () => {
      const markets = table("polymarket_markets");
      expect((await store.insert(markets, [market(1)])).stored).toBe(1);
      expect((await store.insert(markets, [market(1)])).stored).toBe(0);
      expect(
        (await store.insert(markets, [market(1, { volume_total: "1" }), market(1, { volume_total: "2" })])).stored,
      ).toBe(1);
      const rows = await store.rows<{ v: string }>(
        sql`SELECT toString(volume_total) AS v FROM polymarket_markets FINAL`,
      );
      expect(rows).toEqual([{ v: "2" }]);
      expect(await count("polymarket_markets_versions")).toBe(1);
    });

    test("with if_absent leaves a stored row unchanged", async () => {
      const tokens = table("polymarket_tokens");
      const token = {
        token_id: tokenId(5),
        condition_id: `0x${"ab".repeat(32)}`,
        outcome_index: 0,
        outcome: "Yes",
        slug: "a",
      };
      await store.insert(tokens, [token]);
      expect((await store.insert(tokens, [{ ...token, slug: "b" }], "if_absent")).stored).toBe(0);
      expect((await store.insert(tokens, [{ ...token, slug: "c" }])).stored).toBe(1);
      const slugInDictionary = () =>
        store.rows<{ s: string }>(
          sql`SELECT dictGet('polymarket_token_info', 'slug', toUInt256(${bind("String", tokenId(5))})) AS s`,
        );
      await expect.poll(slugInDictionary).toEqual([{ s: "c" }]);
      const other = { ...token, token_id: tokenId(6) };
      expect(await store.insert(tokens, [token, other], "if_absent")).toEqual({ stored: 1, known: 1 });
      expect(await store.insert(tokens, [token, other], "if_absent")).toEqual({ stored: 0, known: 2 });
      await store.alter(sql`DELETE FROM polymarket_tokens WHERE token_id = toUInt256(${bind("String", tokenId(6))})`);
      expect(await store.insert(tokens, [token, other], "if_absent")).toEqual({ stored: 1, known: 1 });
    });

    test("with a field unknown to the table is refused entirely", async () => {
      await expect(store.insert(fills, [fill(5000), { ...fill(5001), colour: "red" }])).rejects.toThrow(StoreError);
      expect(await count(fills.name, `order_hash = unhex('${(5000).toString(16).padStart(64, "0")}')`)).toBe(0);
    });
  });

  describe("a deletion", () => {
    test("by a list, or by another table's rows, deletes those rows and no others", async () => {
      const trades = table("kalshi_trades");
      await store.insert(trades, [20, 21, 22, 23].map(kalshiTrade));
      const listed = bind("Array(String)", ["trade-20", "trade-2000"]);
      await store.alter(sql`DELETE FROM kalshi_trades WHERE trade_id IN (SELECT arrayJoin(${listed}))`);
      const found =
        "SELECT trade_id FROM /* whole */ kalshi_trades_by_ticker WHERE trade_id IN ('trade-21', 'trade-20') AND (ticker, trade_id) GLOBAL IN (SELECT ticker, trade_id FROM /* whole */ kalshi_trades)";
      await store.alter(fromDefinition(`DELETE FROM kalshi_trades WHERE trade_id IN (${found})`));
      await store.alter(
        fromDefinition(
          "DELETE FROM kalshi_trades_by_ticker WHERE trade_id NOT IN (SELECT trade_id FROM /* whole */ kalshi_trades)",
        ),
      );
      for (const name of [trades.name, "kalshi_trades_by_ticker"]) {
        const left = "trade_id IN ('trade-20', 'trade-21', 'trade-22', 'trade-23')";
        expect(await count(name, left), name).toBe(2);
      }
    });
  });

  describe("a bound value", () => {
    test("arrives unchanged, whatever it contains", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "binary", maxLength: 40 }),
          fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 5 }),
          async (text, list) => {
            const [row] = await store.rows<{ t: string; l: string[] }>(
              sql`SELECT ${bind("String", text)} AS t, ${bind("Array(String)", list)} AS l`,
            );
            expect(row).toEqual({ t: text, l: list });
          },
        ),
        { numRuns: thoroughly(300, 35) },
      );
    });

    test("must be bound explicitly", () => {
      expect(() => sql`SELECT ${"1; DROP TABLE x" as never}`).toThrow(TypeError);
    });
  });

  describe("the schema", () => {
    test("matches the definitions on every engine", async () => {
      const made = tables.flatMap(createStatements).map((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1] ?? "");
      const [first, ...others] = await Promise.all(store.engines.map(ownSchema));
      expect(first?.map((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1])).toEqual(made.toSorted());
      for (const other of others) expect(other).toEqual(first);
    });

    test("is migrated once, and a newer store is refused", async () => {
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
      const [first] = store.engines;
      await first?.run(sql`INSERT INTO almanac.schema_migrations (number, name, digest) VALUES (9999, 'future', '')`);
      await expect(migrate(store, MIGRATIONS, tables)).rejects.toThrow(/newer version/);
      await first?.run(
        sql`ALTER TABLE almanac.schema_migrations DELETE WHERE number = 9999 SETTINGS mutations_sync = 1`,
      );
    });

    test("is applied again from its first statement, once, if it was cut off before it was recorded", async () => {
      const known = readMigrations(MIGRATIONS, tables).map(({ name }) => name);
      const [before, fills] = [await Promise.all(store.engines.map(ownSchema)), await count("polymarket_fills")];
      for (const engine of store.engines)
        await engine.run(sql`ALTER TABLE almanac.schema_migrations DELETE WHERE 1 SETTINGS mutations_sync = 1`);
      const second = await store.again();
      const applied = await Promise.all([store, second].map((each) => migrate(each, MIGRATIONS, tables)));
      await second.close();
      expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], known]);
      expect(await Promise.all(store.engines.map(ownSchema))).toEqual(before);
      expect(await count("polymarket_fills")).toBe(fills);
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
    });

    test("has dictionaries that read with the store's current user and password", async () => {
      const over = table("polymarket_tokens");
      if (over.dictionary === undefined) throw new Error("no dictionary");
      const before = dictionaryText(over, over.dictionary, { ...store.address, password: "of before" });
      for (const engine of store.engines)
        await engine.run(fromDefinition(before.replace("REPLACE DICTIONARY ", "REPLACE DICTIONARY almanac.")));
      const look = () => store.rows(sql`SELECT dictGet('polymarket_token_info', 'slug', toUInt256(1)) AS slug`);
      await expect(look()).rejects.toThrow(StoreError);
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
      expect(await look()).toEqual([{ slug: "" }]);
    });

    test("does not rebuild a table while others may store rows, which would be lost", async () => {
      await store.insert(table("book_events"), [bookEvent(10, 1, "change", [["0.45", "8"]], [])]);
      const booksOnEach = () =>
        Promise.all(store.engines.map((engine) => engine.rows(sql`SELECT toUInt32(count()) AS n FROM book_events`)));
      const books = await booksOnEach();
      const own = mkdtempSync(join(tmpdir(), "almanac-anew-"));
      const again = withMigration(own, "books-anew", BOOKS_ANEW);
      const requested: (readonly string[])[] = [];
      const busyAt = (time: number) => async (laid: readonly string[]) => {
        requested.push(laid);
        if (requested.length === time) throw new Error("others gather");
      };
      // At the beginning, then after the copy is made, when others have joined meanwhile.
      for (const time of [1, 2]) {
        requested.length = 0;
        const migrating = migrate(store, own, tables, { requireAlone: busyAt(time) });
        await expect(migrating).rejects.toThrow("others gather");
        expect(await booksOnEach()).toEqual(books);
      }
      expect(await migrate(store, own, tables, { requireAlone: busyAt(0) })).toEqual([again]);
      expect(requested.every((laid) => laid.join() === "book_events")).toBe(true);
      expect(await booksOnEach()).toEqual(books);
      // Suites after this one use the same store.
      for (const engine of store.engines)
        await engine.run(
          sql`ALTER TABLE almanac.schema_migrations DELETE WHERE number = ${bind("UInt32", Number(again.slice(0, 4)))} SETTINGS mutations_sync = 1`,
        );
      // Otherwise the store would still expect a migration of its nodes that they no longer have.
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
      rmSync(own, { recursive: true });
    });
  });

  describe("the engine", () => {
    test("maps its errors by number", async () => {
      await expect(
        store.read(sql`SELECT sleepEachRow(1) FROM numbers(5)`, { settings: { max_execution_time: 1 } }),
      ).rejects.toMatchObject({ kind: "timeout" });
      await expect(
        store.read(sql`SELECT groupArray(number) FROM numbers(100000000)`, {
          settings: { max_memory_usage: 10_000_000 },
        }),
      ).rejects.toMatchObject({ kind: "memory" });
    });

    test("does not let a reader change anything", async () => {
      const READONLY = 164;
      await expect(store.read(sql`DROP TABLE polymarket_fills`)).rejects.toMatchObject({ number: READONLY });
    });

    test("is shared by a second opener (of its folder, if embedded)", async () => {
      const second = store.folder === undefined ? await store.again() : await openStore({ folder: store.folder });
      expect(second.address).toEqual(store.address);
      await second.close();
      expect(await count("polymarket_fills")).toBeGreaterThan(0);
    });
  });
});

test("a dictionary's user and password are written as they are, whatever characters they contain", () => {
  const over = table("polymarket_tokens");
  if (over.dictionary === undefined) throw new Error("no dictionary");
  const who = { url: "", user: "$&", password: "pa$$'\\@USER@", database: "almanac" };
  expect(dictionaryText(over, over.dictionary, who)).toContain("USER '$&' PASSWORD 'pa$$\\'\\\\@USER@' DB 'almanac'");
});

const ownSchema = (engine: TopologyStore["engines"][number]) => schemaOf(engine, engine.database);
