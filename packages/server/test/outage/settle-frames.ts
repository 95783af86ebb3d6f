import { sql } from "../../src/definition/sql.ts";
import type { openEngines } from "../ingest/open-engines.ts";

type Engines = Pick<Awaited<ReturnType<typeof openEngines>>, "store" | "db">;

/** Counts stored, duplicated and missing frames, and lists those neither stored nor inside a recorded gap. */
export async function settleFrames({ store, db }: Engines, madeAt: readonly number[]) {
  const rows = await store.rows<{ seq: string }>(sql`SELECT seq FROM book_events WHERE kind = 'change'`);
  const stored = new Set(rows.map(({ seq }) => Number(seq)));
  const gaps = await db.selectFrom("gaps").selectAll().where("stream", "=", "numbered-frames").execute();
  const isInGap = (at: number): boolean =>
    gaps.some(({ from_at, to_at }) => from_at.getTime() <= at && (to_at === null || to_at.getTime() >= at));
  const missing = [...madeAt.keys()].filter((seq) => !stored.has(seq));
  return {
    stored: stored.size,
    doubled: rows.length - stored.size,
    missing: missing.length,
    undeclared: missing.filter((seq) => !isInGap(madeAt[seq] ?? 0)),
    gaps,
  };
}
