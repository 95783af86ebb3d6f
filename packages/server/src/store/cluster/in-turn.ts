import { setTimeout as sleep } from "node:timers/promises";
import { bind, fromDefinition, name, sql } from "../../definition/sql.ts";
import { StoreError } from "../store-error.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { readLines } from "./look-at-node.ts";

const TABLE_EXISTS = 57;
const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 5_000;
/** One that has the turn and was not heard of for so long is taken for dead. */
const LONGEST_SILENCE_SECONDS = 60;

/**
 * Runs `work` while no other program has the same turn: a table on the cluster's first node that answers, since making
 * one succeeds once. Throws StoreError.
 */
export async function inTurn<T>(nodes: readonly ClusterNode[], turn: string, work: () => Promise<T>): Promise<T> {
  const [first] = nodes.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (first === undefined) throw new StoreError("absent", 0, "no node answers");
  const table = `schema_turn_${turn}`;
  while (!(await takeTurn(first, table))) await sleep(LOOK_EVERY_MS);
  const alive = toNumbered(fromDefinition(`INSERT INTO ${table} (at) VALUES (now())`));
  const telling = setInterval(() => void first.connection.send(alive).catch(() => undefined), TELL_EVERY_MS);
  telling.unref();
  try {
    return await work();
  } finally {
    clearInterval(telling);
    await first.connection.send(toNumbered(fromDefinition(`DROP TABLE IF EXISTS ${table} SYNC`)));
  }
}

const rankOf = ({ place }: ClusterNode): number => (place ? place.shard * 1_000 + place.replica : Number.MAX_VALUE);

async function takeTurn({ connection }: ClusterNode, table: string): Promise<boolean> {
  try {
    await connection.send(toNumbered(fromDefinition(`CREATE TABLE ${table} (at DateTime) ENGINE = Memory`)));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError) || error.number !== TABLE_EXISTS) throw error;
  }
  // It may be given back while we look.
  const [held] = await readLines<{ seconds: number }>(
    connection,
    sql`SELECT toInt32(dateDiff('second', greatest(metadata_modification_time, (SELECT max(at) FROM ${name(table)})), now())) AS seconds FROM system.tables WHERE database = currentDatabase() AND name = ${bind("String", table)}`,
  ).catch(() => []);
  if (held && held.seconds > LONGEST_SILENCE_SECONDS)
    await connection.send(toNumbered(fromDefinition(`DROP TABLE IF EXISTS ${table} SYNC`)));
  return false;
}
