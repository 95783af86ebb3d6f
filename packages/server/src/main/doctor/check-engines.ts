import { sql as recordsSql } from "kysely";
import type { Config } from "../../config.ts";
import { sql } from "../../definition/sql.ts";
import { CLOCKS_APART_MS } from "../clocks-apart.ts";
import { commandEngines } from "../command-engines.ts";
import type { Engines } from "../open-engines.ts";
import type { Finding } from "./finding.ts";

/** Whether rows and records answer, and whether their clocks are this machine's. Opens and closes them. */
export async function checkEngines(config: Config): Promise<readonly Finding[]> {
  let engines: Engines;
  try {
    engines = await commandEngines(config);
  } catch (error) {
    return [{ check: "engines", state: "fail", says: `rows or records cannot be opened: ${(error as Error).message}` }];
  }
  try {
    return [...(await checkRows(engines)), ...(await checkRecords(engines))];
  } finally {
    await engines.close();
  }
}

async function checkRows({ store }: Engines): Promise<Finding[]> {
  const [said] = await store.rows<{ version: string; ms: string }>(
    sql`SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS ms`,
  );
  return [
    {
      check: "rows",
      state: "ok",
      says: `ClickHouse ${said?.version ?? "?"} answers at ${new URL(store.address.url).host}`,
    },
    checkClock("clock of the rows", Number(said?.ms)),
  ];
}

async function checkRecords({ records }: Engines): Promise<Finding[]> {
  const { rows } = await recordsSql<{ version: string; ms: string }>`
    select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`.execute(
    records.db,
  );
  return [
    { check: "records", state: "ok", says: `PostgreSQL ${rows[0]?.version ?? "?"} answers` },
    checkClock("clock of the records", Number(rows[0]?.ms)),
  ];
}

export function checkClock(check: string, ms: number, now = Date.now()): Finding {
  const ahead = ms - now;
  const says = `${Math.abs(ahead)} ms ${ahead < 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(ahead) <= CLOCKS_APART_MS) return { check, state: "ok", says };
  return { check, state: "fail", says: `${says}: set both by NTP` };
}
