import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { columnsIn } from "../../src/definition/table.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openStore } from "../../src/store/open-store.ts";
import { table } from "../fixtures/sample-rows.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
const LEAN = "0030-lean-copies.sql";
const COLUMNS = "wallet, day, token_id, condition_id, buys, shares, payout, is_gone, version, content";
const [TABLE, COPY] = ["wallet_token_days", "wallet_token_days_by_token"];
const row = (shares: string) => ({
  wallet: `0x${"0".repeat(39)}1`,
  day: "2026-06-01",
  token_id: "1",
  condition_id: `0x${"0".repeat(64)}`,
  shares,
  is_gone: false,
});

test("a store of before keeps its rows in copies that lose columns, and stores changed ones in both", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lean-copies-"));
  const before = join(folder, "migrations");
  mkdirSync(before);
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < LEAN))
    copyFileSync(join(MIGRATIONS, file), join(before, file));
  const store = await openStore({ folder: join(folder, "columns") });
  const definition = table(TABLE);
  const list = columnsIn(definition, COPY).join(", ");
  const read = (name: string) => store.rows(fromDefinition(`SELECT ${list} FROM ${name} FINAL ORDER BY ALL`));
  try {
    await migrate(store, before);
    for (const name of [TABLE, COPY])
      await store.run(
        fromDefinition(
          `INSERT INTO ${name} (${COLUMNS}) SELECT toFixedString(char(number % 5), 20), toDate('2026-06-01') + number, toUInt256(number % 7), toFixedString(char(number % 7), 32), number, number / 4, if(number % 3 = 0, 1, NULL), number % 11 = 0, number, number FROM numbers(60)`,
        ),
      );
    const rows = await read(COPY);
    expect(rows).toHaveLength(60);
    expect(await migrate(store, MIGRATIONS)).toContain(LEAN.slice(0, -4));
    expect(await read(COPY)).toEqual(rows);
    expect(await read(TABLE)).toEqual(rows);
    expect(await store.insert(definition, [row("1")])).toMatchObject({ stored: 1 });
    expect(await store.insert(definition, [row("1")])).toMatchObject({ stored: 0 });
    expect(await store.insert(definition, [row("2")])).toMatchObject({ stored: 1 });
    expect(await read(COPY)).toHaveLength(61);
    expect(await read(COPY)).toEqual(await read(TABLE));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
