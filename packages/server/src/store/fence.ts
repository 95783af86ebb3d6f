import type { Connection } from "./connection.ts";
import type { EngineLine } from "./engine-line.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { toNumbered } from "./statement.ts";

/** Decides which process may write rows now, where several could: see ingest/leader. */
export type Fence = {
  /** Rises with every new leader; staging tables are named after it. */
  readonly token: number;
  /** Throws if this process may not write now. */
  readonly check: () => void;
};

/** The fence of a process that shares its column engine with no other. */
export const OPEN_FENCE: Fence = { token: 0, check: () => undefined };

/** Engine access for writers: right before each statement is sent, `check` decides whether it may be. */
export function fencedLine(line: EngineLine, check: () => void): Pick<EngineLine, "connection" | "shards"> {
  // One object per connection, because a writer recognises a restart of the engine by it.
  const known = new WeakMap<Connection, Connection>();
  const fenced = (inner: Connection): Connection => {
    const found = known.get(inner) ?? {
      ...inner,
      send: (statement, more = {}) => inner.send(statement, { ...more, check }),
    };
    known.set(inner, found);
    return found;
  };
  return { connection: () => fenced(line.connection()), shards: () => fenced(line.shards()) };
}

const LOOK_MS = 50;
const MAX_LOOKS = 200;
/** Named in staging-tables.ts: `staged_<table>_<token>_<twelve hexadecimal digits>`; earlier releases had no token. */
const STAGING = /^(?:staged|fresh)_.+?(?:_(\d+))?_[0-9a-f]{12}$/;

/**
 * Ends the statements in progress of writers with a lower token. A batch is published out of a staging table: once that
 * is dropped, a statement that is sent late or delayed on its way does nothing. Running ones are killed and waited for;
 * what they published is either complete or found again by the next writer of the same rows. On a cluster this is done
 * on every node, since theirs may have gone to another node than ours do. Throws StoreError, or an Error if a statement
 * does not end.
 */
export async function endWriters(everyNode: EngineLine["everyNode"], token: number): Promise<void> {
  const listed = await lines(
    everyNode,
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(staged|fresh)_')`,
  );
  await endStaged(
    everyNode,
    listed.filter((name) => tokenOf(name) < token),
  );
}

/** Returns the token in a staging table's name; infinite for a table that is no writer's. */
function tokenOf(name: string): number {
  const found = STAGING.exec(name);
  return found === null ? Infinity : Number(found[1] ?? 0);
}

async function endStaged(everyNode: EngineLine["everyNode"], names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const name of names) await everyNode(toNumbered(fromDefinition(`DROP TABLE IF EXISTS ${name}`)));
  // A statement that sends rows into a staging table may wait long for the rest of them, and changes nothing.
  const publishing = sql`query_kind = 'Insert' AND NOT match(query, '^INSERT INTO [^ (]*(staged|fresh)_') AND arrayExists(name -> position(query, name) > 0, ${bind("Array(String)", names)})`;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const running = await lines(everyNode, sql`SELECT query_id FROM system.processes WHERE ${publishing}`);
    if (running.length === 0) return;
    await lines(everyNode, sql`KILL QUERY WHERE query_id IN ${bind("Array(String)", running)} ASYNC`);
    await sleep(LOOK_MS);
  }
  throw new Error(`a statement of an earlier writer is still running; it reads one of ${names.join(", ")}`);
}

async function lines(everyNode: EngineLine["everyNode"], statement: Sql): Promise<string[]> {
  const answers = await everyNode(toNumbered(sql`${statement} FORMAT TSV`));
  const all = answers.flatMap((bytes) => bytes.toString("utf8").split("\n"));
  return [...new Set(all)].filter((line) => line !== "");
}
