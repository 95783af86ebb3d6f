import { setTimeout as sleep } from "node:timers/promises";
import { bind, fromDefinition, name, sql } from "../definition/sql.ts";
import type { Runner } from "./connection.ts";
import { StoreError } from "./statement.ts";

const TABLE_EXISTS = 57;
const LOOK_EVERY_MS = 200;
const REPORT_EVERY_MS = 5_000;
/** A holder of the lock that has not been heard from for this long is considered dead. */
const MAX_SILENCE_SECONDS = 60;

/**
 * Runs `work` while no other program holds the same lock: a table in an engine shared by all of them, since only one
 * program succeeds in creating it. Throws StoreError.
 */
export async function withLock<T>(at: Runner, turn: string, work: () => Promise<T>): Promise<T> {
  const table = `schema_turn_${turn}`;
  while (!(await takeTurn(at, table))) await sleep(LOOK_EVERY_MS);
  const alive = fromDefinition(`INSERT INTO ${table} (at) VALUES (now())`);
  const telling = setInterval(() => void at.run(alive).catch(() => undefined), REPORT_EVERY_MS);
  telling.unref();
  try {
    return await work();
  } finally {
    clearInterval(telling);
    await at.run(fromDefinition(`DROP TABLE IF EXISTS ${table} SYNC`));
  }
}

async function takeTurn(at: Runner, table: string): Promise<boolean> {
  try {
    await at.run(fromDefinition(`CREATE TABLE ${table} (at DateTime) ENGINE = Memory`));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError) || error.number !== TABLE_EXISTS) throw error;
  }
  // It may be released while we look.
  const [held] = await at
    .rows<{
      seconds: number;
    }>(
      sql`SELECT toInt32(dateDiff('second', greatest(metadata_modification_time, (SELECT max(at) FROM ${name(table)})), now())) AS seconds FROM system.tables WHERE database = currentDatabase() AND name = ${bind("String", table)}`,
    )
    .catch(() => []);
  if (held && held.seconds > MAX_SILENCE_SECONDS) await at.run(fromDefinition(`DROP TABLE IF EXISTS ${table} SYNC`));
  return false;
}
