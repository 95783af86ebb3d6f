import { setTimeout as sleep } from "node:timers/promises";
import { fromDefinition, sql } from "../../definition/sql.ts";
import { StoreError } from "../store-error.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { readLines } from "./look-at-node.ts";

const TABLE_EXISTS = 57;
const LOOK_EVERY_MS = 200;
/** One that holds the turn longer is taken for dead. */
const LONGEST_TURN_SECONDS = 900;

/**
 * Runs `work` while no other program migrates: a table on the cluster's first node is the turn, since making one
 * succeeds once. Throws StoreError.
 */
export async function migratingAlone<T>(nodes: readonly ClusterNode[], work: () => Promise<T>): Promise<T> {
  const [first] = nodes.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (first === undefined) throw new StoreError("absent", 0, "no node answers");
  while (!(await takeTurn(first))) await sleep(LOOK_EVERY_MS);
  try {
    return await work();
  } finally {
    await first.connection.send(toNumbered(fromDefinition("DROP TABLE IF EXISTS schema_turn SYNC")));
  }
}

const rankOf = ({ place }: ClusterNode): number => (place ? place.shard * 1_000 + place.replica : Number.MAX_VALUE);

async function takeTurn({ connection }: ClusterNode): Promise<boolean> {
  try {
    await connection.send(toNumbered(fromDefinition("CREATE TABLE schema_turn (taken UInt8) ENGINE = Memory")));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError) || error.number !== TABLE_EXISTS) throw error;
  }
  const [held] = await readLines<{ seconds: number }>(
    connection,
    sql`SELECT toInt32(dateDiff('second', metadata_modification_time, now())) AS seconds FROM system.tables WHERE database = currentDatabase() AND name = 'schema_turn'`,
  );
  if (held && held.seconds > LONGEST_TURN_SECONDS)
    await connection.send(toNumbered(fromDefinition("DROP TABLE IF EXISTS schema_turn SYNC")));
  return false;
}
