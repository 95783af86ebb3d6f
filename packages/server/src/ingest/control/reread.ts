import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { TableRows } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { settlePages } from "./settle-pages.ts";

type Waiting = { readonly id: number; readonly left: Set<string> };

/** How old the list of what is waited for may be. */
const LOOK_AGAIN_MS = 5000;
const MOST_PAGES = 2000;

/**
 * Looks out for rows that could not be read at first and were read later, by the keys they were parked with. Given
 * the rows of a stream once they are stored, it settles the pages of which nothing is left to wait for.
 */
export function createReread(
  db: Kysely<RecordsSchema>,
  clock: Clock,
  log: Logger,
): (stream: string, rows: TableRows) => Promise<void> {
  const streams = new Map<string, { at: number; waiting: Map<number, Waiting> }>();

  const waitingOf = async (stream: string): Promise<Map<number, Waiting>> => {
    const known = streams.get(stream);
    if (known && clock.now() - known.at < LOOK_AGAIN_MS) return known.waiting;
    const found = await findWaiting(db, stream);
    for (const [id, before] of known?.waiting ?? []) if (found.has(id)) found.set(id, before);
    streams.set(stream, { at: clock.now(), waiting: found });
    return found;
  };

  const look = async (stream: string, { rows }: TableRows): Promise<void> => {
    const waiting = await waitingOf(stream);
    if (waiting.size === 0) return;
    const settled = [...waiting.values()].filter(({ left }) => {
      strike(left, rows);
      return left.size === 0;
    });
    const ids = settled.map(({ id }) => id);
    await settlePages(db, ids, new Date(clock.now()));
    for (const id of ids) waiting.delete(id);
    if (ids.length > 0) log.info({ stream, pages: ids }, "rows that could not be read were read again");
  };
  return async (stream, rows) => {
    // The rows are stored whatever becomes of this; the next ones look again.
    await look(stream, rows).catch((error: unknown) =>
      log.warn({ err: error, stream }, "what was read again could not be written down"),
    );
  };
}

/** Pages of which every row that was not read has a key. */
async function findWaiting(db: Kysely<RecordsSchema>, stream: string): Promise<Map<number, Waiting>> {
  const pages = await db
    .selectFrom("parked")
    .select(["id", "refused"])
    .where("stream", "=", stream)
    .where("replayed_at", "is", null)
    .where("refused", "is not", null)
    .orderBy("id", "desc")
    .limit(MOST_PAGES)
    .execute();
  const waiting = new Map<number, Waiting>();
  for (const { id, refused } of pages) {
    const keys = (refused ?? []).map(({ key }) => key);
    if (keys.length === 0 || keys.includes(null)) continue;
    waiting.set(id, { id, left: new Set(keys.map((key) => JSON.stringify(Object.entries(key ?? {}).toSorted()))) });
  }
  return waiting;
}

function strike(left: Set<string>, rows: TableRows["rows"]): void {
  for (const text of left) {
    const key = JSON.parse(text) as [string, string][];
    if (rows.some((row) => key.every(([column, value]) => String(row[column]) === value))) left.delete(text);
  }
}
