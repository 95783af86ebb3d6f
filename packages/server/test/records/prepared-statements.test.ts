import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fillNewDatabase } from "../../src/records/fill-new-database.ts";
import { readMigrations } from "../../src/records/migrate.ts";
import { openPglite } from "../../src/records/open-pglite.ts";
import { preparedStatements } from "../../src/records/prepared-statements.ts";
import { tempFolder } from "./temp-folder.ts";

describe("PGlite statements", () => {
  const folder = tempFolder();
  let pglite: PGlite;
  let ask: ReturnType<typeof preparedStatements>;
  beforeAll(async () => {
    await fillNewDatabase(folder.path, await readMigrations());
    pglite = await openPglite({ dataDir: folder.path });
  });
  beforeEach(async () => {
    await pglite.exec("deallocate all; drop table if exists things");
    ask = preparedStatements(pglite);
    await ask(
      "create table things (id bigint primary key, said jsonb, at timestamptz, names text[], is_on boolean)",
      [],
    );
  });
  afterAll(async () => {
    await pglite.close();
    folder.remove();
  });

  const names = async (): Promise<readonly string[]> => {
    const { rows } = await pglite.query<{ statement: string }>(
      "select statement from pg_prepared_statements where name like 's%' order by prepare_time",
    );
    return rows.map(({ statement }) => statement);
  };

  test("are prepared once and return their command, row count and rows", async () => {
    const insert = "insert into things (id, said, at, names, is_on) values ($1, $2, $3, $4, $5)";
    const at = new Date("2026-03-07T12:00:00.123Z");
    for (const id of [1, 2]) {
      const done = await ask(insert, [id, { a: [1, null] }, at, ['with "quotes", and commas', "ä"], id === 1]);
      expect(done).toMatchObject({ command: "INSERT", rowCount: 1, rows: [] });
    }
    await ask(insert, [3, null, null, null, null]);
    const select = "select * from things order by id";
    for (let time = 0; time < 2; time += 1) {
      const { rows } = await ask(select, []);
      expect(rows).toEqual([
        { id: 1, said: { a: [1, null] }, at, names: ['with "quotes", and commas', "ä"], is_on: true },
        { id: 2, said: { a: [1, null] }, at, names: ['with "quotes", and commas', "ä"], is_on: false },
        { id: 3, said: null, at: null, names: null, is_on: null },
      ]);
    }
    expect(await ask("update things set is_on = $1 where id < $2", [false, 3])).toMatchObject({ rowCount: 2 });
    expect(await names()).toEqual([insert, select, "update things set is_on = $1 where id < $2"]);
  });

  test("return the current columns after a schema change", async () => {
    await ask("insert into things (id) values ($1)", [1]);
    const before = await ask("select * from things", []);
    expect(Object.keys(before.rows[0] ?? {})).not.toContain("more");
    await ask("alter table things add column more integer default 7", []);
    expect((await ask("select * from things", [])).rows).toMatchObject([{ id: 1, more: 7 }]);
  });

  test("are prepared again after another client changed the schema", async () => {
    await ask("insert into things (id) values ($1)", [1]);
    await ask("select * from things", []);
    await pglite.exec("alter table things add column more integer default 7");
    await expect(ask("select * from things", [])).rejects.toMatchObject({ code: "0A000" });
    expect((await ask("select * from things", [])).rows).toMatchObject([{ id: 1, more: 7 }]);
  });

  test("can be repeated after a failure, even if prepared in a transaction that was rolled back", async () => {
    const insert = "insert into things (id) values ($1)";
    await ask("begin", []);
    await ask(insert, [1]);
    await expect(ask(insert, [1])).rejects.toMatchObject({ code: "23505" });
    await expect(ask("select 1 as one", [])).rejects.toMatchObject({ code: "25P02" });
    expect(await ask("commit", [])).toMatchObject({ command: "ROLLBACK" });
    expect((await ask("select 1 as one", [])).rows).toEqual([{ one: 1 }]);
    expect(await ask(insert, [1])).toMatchObject({ rowCount: 1 });
    for (let time = 0; time < 2; time += 1) {
      await expect(ask("select nothing from things", [])).rejects.toMatchObject({ code: "42703" });
      await expect(ask("insert into things (id) values ($1)", ["no number"])).rejects.toMatchObject({ code: "22P02" });
    }
  });

  test("are closed once enough others have been used since", async () => {
    for (let place = 0; place < 300; place += 1) {
      expect((await ask(`select ${place} as n`, [])).rows).toEqual([{ n: place }]);
      expect((await ask("select 'often' as text", [])).rows).toEqual([{ text: "often" }]);
    }
    const kept = await names();
    // A statement due to be closed is closed when the next one is prepared.
    expect(kept.length).toBeLessThanOrEqual(257);
    expect(kept).toContain("select 'often' as text");
    expect(kept).toContain("select 299 as n");
    expect(kept).not.toContain("select 3 as n");
    expect((await ask("select 3 as n", [])).rows).toEqual([{ n: 3 }]);
  });
});
