import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LAZY = "SETTINGS lazy_load_tables = 1";
/** As the engine writes it; anything else is left as it is. */
const KNOWN = /^ATTACH DATABASE _ UUID '[0-9a-f-]{36}'\nENGINE = Atomic(\nSETTINGS lazy_load_tables = 1)?\n?$/;

/**
 * Whether the tables of a database are opened each at its first use. Else all are opened at start, which fails for all
 * where one is in an object store that does not answer; but only those are in `system.parts`. The engine takes this
 * setting only when a database is made, so it is written where the engine keeps it. While the engine is down.
 */
export function setLazyTables(columns: string, database: string, isLazy: boolean): void {
  const file = join(columns, "metadata", `${database}.sql`);
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  if (!KNOWN.test(text) || text.includes(LAZY) === isLazy) return;
  const bare = text.replace(`\n${LAZY}`, "").trimEnd();
  writeFileSync(`${file}.new`, `${bare}${isLazy ? `\n${LAZY}` : ""}\n`, { mode: 0o640 });
  renameSync(`${file}.new`, file);
}
