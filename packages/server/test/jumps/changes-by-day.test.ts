import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openStore } from "../../src/store/open-store.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
const BY_DAY = "0017-price-changes-by-day.sql";
const COLUMNS = "resolution, bucket, token_id, close, volume, trade_count, volume_ratio, is_gone, version, content";

test("a store of before keeps its changes of prices when they are put in order by day", async () => {
  const folder = mkdtempSync(join(tmpdir(), "changes-by-day-"));
  const before = join(folder, "migrations");
  mkdirSync(before);
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < BY_DAY))
    copyFileSync(join(MIGRATIONS, file), join(before, file));
  const store = await openStore({ folder: join(folder, "columns") });
  const read = () =>
    store.rows<Record<string, unknown>>(fromDefinition(`SELECT ${COLUMNS} FROM price_changes ORDER BY ALL`));
  try {
    await migrate(store, before);
    await store.run(
      fromDefinition(`INSERT INTO price_changes (${COLUMNS}) SELECT ['1m', '5m', '1h'][number % 3 + 1],
  toDateTime('2026-06-01 22:00:00', 'UTC') + 300 * number, toUInt256(number % 7), toDecimal64(number / 100, 6), number, number, number / 4, number % 5 = 0, number, number FROM numbers(60)`),
    );
    const rows = await read();
    expect(rows).toHaveLength(60);
    expect(await migrate(store, MIGRATIONS)).toContain(BY_DAY.slice(0, -4));
    // A later migration takes their hashes away.
    expect(await read()).toEqual(rows.map((row) => Object.assign({}, row, { content: "0" })));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
