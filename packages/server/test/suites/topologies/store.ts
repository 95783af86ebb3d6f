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
import { filledIn, readMigrations } from "../../../src/store/dictionaries.ts";
import { StoreError } from "../../../src/store/statement.ts";
import { thoroughly } from "../../../../../scripts/vitest/thoroughly.ts";
import { FILL_START, bookEvent, fill, kalshiTrade, market, table, tokenId } from "../../fixtures/sample-rows.ts";
import { MIGRATIONS } from "../../fixtures/open-test-store.ts";
import { DIFFERENT_TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";

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

    test("that was cut off between the copies and the table leaves no double when it comes again", async () => {
      const rows = Array.from({ length: 20 }, (_, index) => fill(4000 + index));
      const late = `ts >= toDateTime(${FILL_START + 2000 * 30})`;
      const [first = "", second = ""] = copies;
      await store.insert(fills, rows.slice(0, 8));
      // What a process killed in mid-insert leaves: rows in the copies that the table itself does not have.
      await store.alter(fromDefinition(`ALTER TABLE ${fills.name} DELETE WHERE ${late} SETTINGS mutations_sync = 1`));
      await store.alter(fromDefinition(`ALTER TABLE ${second} DELETE WHERE ${late} SETTINGS mutations_sync = 1`));
      expect(await count(first, late)).toBe(8);
      const next = await store.again();
      expect((await next.insert(fills, rows)).stored).toBe(20);
      await next.close();
      for (const name of [fills.name, first, second]) expect(await count(name, late)).toBe(20);
    });

    test("that was cut off comes again without a double after other rows and another start", async () => {
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

    test("that was cut off and never comes again leaves nothing, where nobody else writes", async () => {
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

    test("of a table with versions keeps the newest row, and only when it says something new", async () => {
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

    test("with if_absent leaves a stored row alone", async () => {
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

    test("with a field that the table does not know is refused whole", async () => {
      await expect(store.insert(fills, [fill(5000), { ...fill(5001), colour: "red" }])).rejects.toThrow(StoreError);
      expect(await count(fills.name, `order_hash = unhex('${(5000).toString(16).padStart(64, "0")}')`)).toBe(0);
    });
  });

  describe("a deletion", () => {
    test("by a list, or by what another table holds, takes those rows away and no others", async () => {
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
    test("arrives as it was, whatever it holds", async () => {
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

    test("cannot be left out of its place", () => {
      expect(() => sql`SELECT ${"1; DROP TABLE x" as never}`).toThrow(TypeError);
    });
  });

  describe("the schema", () => {
    test("of the migrations is that of the definitions", async () => {
      const [first] = store.engines;
      if (first === undefined) throw new Error("no engine");
      await first.run(sql`CREATE DATABASE defined`);
      for (const text of tables.flatMap(createStatements).filter((statement) => statement.startsWith("CREATE TABLE"))) {
        await first.run(fromDefinition(text.replace("CREATE TABLE ", "CREATE TABLE defined.")));
      }
      const defined = await schemaOf(first, "defined");
      await first.run(sql`DROP DATABASE defined`);
      for (const engine of store.engines) expect(await ownSchema(engine)).toEqual(defined);
    });

    test("is migrated once, and a newer store is refused", async () => {
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
      const [first] = store.engines;
      await first?.run(sql`INSERT INTO almanac.schema_migrations (number, name, digest) VALUES (9999, 'future', '')`);
      await expect(migrate(store, MIGRATIONS, tables)).rejects.toThrow(/newer program/);
      await first?.run(
        sql`ALTER TABLE almanac.schema_migrations DELETE WHERE number = 9999 SETTINGS mutations_sync = 1`,
      );
    });

    test("is made again from its first statement on where that was cut off before it was written down, once", async () => {
      const known = readMigrations(MIGRATIONS).map(({ name }) => name);
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

    test("has dictionaries that read as the user with whose password the store is asked now", async () => {
      const made = readMigrations(MIGRATIONS).flatMap(({ statements }) => statements);
      const text = made.find((statement) => statement.startsWith("CREATE DICTIONARY")) ?? "";
      const before = filledIn(text, { ...store.address, password: "of before" });
      for (const engine of store.engines)
        await engine.run(fromDefinition(before.replace("CREATE DICTIONARY ", "CREATE OR REPLACE DICTIONARY almanac.")));
      const look = () => store.rows(sql`SELECT dictGet('polymarket_token_info', 'slug', toUInt256(1)) AS slug`);
      await expect(look()).rejects.toThrow(StoreError);
      expect(await migrate(store, MIGRATIONS, tables)).toEqual([]);
      expect(await look()).toEqual([{ slug: "" }]);
    });

    test("is not laid anew while others may store rows, which would be lost", async () => {
      await store.insert(table("book_events"), [bookEvent(10, 1, "change", [["0.45", "8"]], [])]);
      const booksOnEach = () =>
        Promise.all(store.engines.map((engine) => engine.rows(sql`SELECT toUInt32(count()) AS n FROM book_events`)));
      const books = await booksOnEach();
      for (const engine of store.engines) {
        await engine.run(
          sql`ALTER TABLE almanac.schema_migrations DELETE WHERE number >= 16 SETTINGS mutations_sync = 1`,
        );
        // Later migrations drop what earlier ones change.
        await engine.run(
          sql`CREATE TABLE IF NOT EXISTS wallet_windows (period String) ENGINE = MergeTree ORDER BY period`,
        );
        await engine.run(
          sql`CREATE TABLE IF NOT EXISTS wallet_condition_days (day Date, pnl_usd Decimal64(6)) ENGINE = MergeTree ORDER BY day`,
        );
      }
      const asked: (readonly string[])[] = [];
      const busyAt = (time: number) => async (laid: readonly string[]) => {
        asked.push(laid);
        if (asked.length === time) throw new Error("others gather");
      };
      // At the beginning, then when the copy is made and the others have come meanwhile.
      for (const time of [1, 2]) {
        asked.length = 0;
        const migrating = migrate(store, MIGRATIONS, tables, { requireAlone: busyAt(time) });
        await expect(migrating).rejects.toThrow("others gather");
        expect(await booksOnEach()).toEqual(books);
      }
      expect(await migrate(store, MIGRATIONS, tables, { requireAlone: busyAt(0) })).toContain("0016-book-weeks");
      expect(asked.every((laid) => laid.join() === "book_events")).toBe(true);
      expect(await booksOnEach()).toEqual(books);
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

    test("lets a reader change nothing", async () => {
      await expect(store.read(sql`DROP TABLE polymarket_fills`)).rejects.toThrow(StoreError);
    });

    test("is shared by a second opener (an embedded one: of its folder)", async () => {
      const second = store.folder === undefined ? await store.again() : await openStore({ folder: store.folder });
      expect(second.address).toEqual(store.address);
      await second.close();
      expect(await count("polymarket_fills")).toBeGreaterThan(0);
    });
  });
});

test("an embedded store whose first migration was cut off is migrated at the next start, in nobody's turn", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-cut-off-"));
  const known = readMigrations(MIGRATIONS);
  try {
    const first = await openStore({ folder });
    for (const text of known[0]?.statements.slice(0, 3) ?? []) await first.run(fromDefinition(text));
    await first.run(sql`CREATE TABLE schema_turn_migrate (at DateTime) ENGINE = Memory`);
    await first.close();
    const next = await openStore({ folder });
    const turns = sql`SELECT name FROM system.tables WHERE startsWith(name, 'schema_turn_')`;
    expect(await next.rows(turns)).toEqual([]);
    expect(await migrate(next, MIGRATIONS)).toEqual(known.map(({ name }) => name));
    expect(await next.rows(turns)).toEqual([]);
    await next.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a dictionary's user and password are said as they are, whatever signs they have", () => {
  const text = filledIn("USER '@USER@' PASSWORD '@PASSWORD@' DB '@DATABASE@'", {
    url: "",
    user: "$&",
    password: "pa$$'\\@USER@",
    database: "almanac",
  });
  expect(text).toBe("USER '$&' PASSWORD 'pa$$\\'\\\\@USER@' DB 'almanac'");
});

const ownSchema = (engine: TopologyStore["engines"][number]): Promise<unknown> => schemaOf(engine, engine.database);

/** What a database's tables are, but for those of a node's or a writer's own. */
async function schemaOf(engine: TopologyStore["engines"][number], database: string): Promise<unknown> {
  const own = "'^(staged|fresh|schema|mend)_|^polymarket_token_info$'";
  const of = sql`database = ${bind("String", database)} AND NOT match`;
  return {
    columns: await engine.rows(
      sql`SELECT table, name, type, default_kind, default_expression, compression_codec FROM system.columns WHERE ${of}(table, ${fromDefinition(own)}) ORDER BY table, position`,
    ),
    tables: await engine.rows(
      sql`SELECT name, engine_full, sorting_key, partition_key FROM system.tables WHERE ${of}(name, ${fromDefinition(own)}) ORDER BY name`,
    ),
    indexes: await engine.rows(
      sql`SELECT table, name, expr, type_full, granularity FROM system.data_skipping_indices WHERE ${of}(table, ${fromDefinition(own)}) ORDER BY table, name`,
    ),
  };
}
