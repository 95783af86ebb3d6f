import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { TableRows } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Clock } from "../clock.ts";
import { settlePages } from "./settled-records.ts";

/** `left`: each key still waited for, as text, with its columns. */
type Waiting = { readonly id: number; readonly left: Map<string, readonly string[]> };
type Watched = {
  readonly at: number;
  readonly waiting: Map<number, Waiting>;
  /** The distinct column lists of all keys, and the pages waiting for each key. */
  readonly columns: readonly (readonly string[])[];
  readonly pages: ReadonlyMap<string, readonly Waiting[]>;
};

/** Maximum age of the list of waiting pages. */
const LOOK_AGAIN_MS = 5000;
const MAX_PAGES = 2000;

/**
 * Recognizes rows that were unreadable at first and read later, by the keys they were parked with. Called with a
 * stream's rows once stored, it settles pages with nothing left to wait for.
 */
export function createReread(
  db: Kysely<RecordsSchema>,
  clock: Clock,
  log: Logger,
): (stream: string, rows: TableRows) => Promise<void> {
  const streams = new Map<string, Watched>();

  const watchedOf = async (stream: string): Promise<Watched> => {
    const known = streams.get(stream);
    if (known && clock.monotonicMs() - known.at < LOOK_AGAIN_MS) return known;
    const found = await findWaiting(db, stream);
    for (const [id, before] of known?.waiting ?? []) if (found.has(id)) found.set(id, before);
    const watched = { at: clock.monotonicMs(), waiting: found, ...byKey([...found.values()]) };
    streams.set(stream, watched);
    return watched;
  };

  const look = async (stream: string, { rows }: TableRows): Promise<void> => {
    const watched = await watchedOf(stream);
    const { waiting } = watched;
    if (waiting.size === 0) return;
    strike(watched, rows);
    const settled = [...waiting.values()].filter(({ left }) => left.size === 0);
    const ids = settled.map(({ id }) => id);
    await settlePages(db, ids, new Date(clock.now()));
    for (const id of ids) waiting.delete(id);
    if (ids.length > 0) log.info({ stream, pages: ids }, "unreadable rows were fetched again");
  };
  return async (stream, rows) => {
    // The rows are stored even if this fails; the next rows trigger another check.
    await look(stream, rows).catch((error: unknown) =>
      log.warn({ err: error, stream }, "rows fetched again could not be recorded"),
    );
  };
}

/** Pages whose refused rows all have keys. */
async function findWaiting(db: Kysely<RecordsSchema>, stream: string): Promise<Map<number, Waiting>> {
  const pages = await db
    .selectFrom("parked")
    .select(["id", "refused"])
    .where("stream", "=", stream)
    .where("replayed_at", "is", null)
    .where("refused", "is not", null)
    .orderBy("id", "desc")
    .limit(MAX_PAGES)
    .execute();
  const waiting = new Map<number, Waiting>();
  for (const { id, refused } of pages) {
    const keys = (refused ?? []).map(({ key }) => key);
    if (keys.length === 0 || keys.includes(null)) continue;
    const entries = keys.map((key) => Object.entries(key ?? {}).toSorted());
    const left = new Map(entries.map((of) => [JSON.stringify(of), of.map(([column]) => column)]));
    waiting.set(id, { id, left });
  }
  return waiting;
}

function byKey(waiting: readonly Waiting[]): Pick<Watched, "columns" | "pages"> {
  const keys = waiting.flatMap((page) => [...page.left].map(([key, columns]) => ({ key, columns, page })));
  const columns = new Map(keys.map((one) => [one.columns.join(), one.columns]));
  const pages = Map.groupBy(keys, ({ key }) => key);
  return {
    columns: [...columns.values()],
    pages: new Map([...pages].map(([key, of]) => [key, of.map(({ page }) => page)])),
  };
}

/** One lookup per row and column list, however many pages wait: there are many right after an upstream change. */
function strike({ columns, pages }: Watched, rows: TableRows["rows"]): void {
  for (const list of columns) {
    for (const row of rows) {
      const key = JSON.stringify(list.map((column) => [column, String(row[column])]));
      for (const { left } of pages.get(key) ?? []) left.delete(key);
    }
  }
}
