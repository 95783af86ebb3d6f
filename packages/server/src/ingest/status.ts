import type { Kysely } from "kysely";
import type { RecordsSchema } from "../records/schema.ts";
import type { BudgetUse } from "./budget.ts";
import type { Clock } from "./clock.ts";
import type { StreamState } from "./control/stream-record.ts";
import type { Deriver } from "./derive.ts";
import type { Planned } from "./plan-streams.ts";
import type { StreamWatch } from "./stream-watch.ts";
import type { Upstreams } from "./upstreams.ts";

export type StreamStatus = {
  readonly name: string;
  readonly title: string;
  readonly state: StreamState;
  readonly note: string | undefined;
  readonly cursor: Readonly<Record<string, unknown>> | undefined;
  /** ISO; the stream is complete up to here. */
  readonly reached: string | undefined;
  readonly lagSeconds: number | undefined;
  readonly rowsPerSecond: number;
  /** Over all runs. */
  readonly rowsStored: number;
  /** In this run. */
  readonly errors: number;
  readonly lastError: string | undefined;
  readonly lastErrorAt: string | undefined;
  /** Gaps written down and not filled. */
  readonly openGaps: number;
};

export type IngestStatus = {
  readonly streams: readonly StreamStatus[];
  readonly hosts: Readonly<Record<string, { readonly waiting: number; readonly routes: BudgetUse }>>;
  /** Derivation → buckets waiting to be worked out. */
  readonly derivations: Readonly<Record<string, number>>;
};

export async function readStatus(from: {
  readonly planned: readonly Planned[];
  readonly watches: ReadonlyMap<string, StreamWatch>;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly venueNow: () => number;
  readonly upstreams: Upstreams;
  readonly deriver: Deriver;
}): Promise<IngestStatus> {
  const { db } = from;
  const [stored, gaps] = await Promise.all([
    db.selectFrom("streams").select(["name", "rows_stored"]).execute(),
    db
      .selectFrom("gaps")
      .select(["stream", (select) => select.fn.countAll<number>().as("open")])
      .where("filled_at", "is", null)
      .groupBy("stream")
      .execute(),
  ]);
  const rows = new Map(stored.map(({ name, rows_stored }) => [name, rows_stored]));
  const open = new Map(gaps.map((gap) => [gap.stream, Number(gap.open)]));
  const now = { clock: from.clock.now(), venue: from.venueNow() };
  const streams = from.planned.flatMap(({ connector }) => {
    const watch = from.watches.get(connector.name);
    if (watch === undefined) return [];
    const known = { rows: rows.get(connector.name) ?? 0, gaps: open.get(connector.name) ?? 0 };
    return [toStatus(connector.title, watch, known, now)];
  });
  return { streams, hosts: from.upstreams.use(), derivations: from.deriver.pending() };
}

function toStatus(
  title: string,
  watch: StreamWatch,
  known: { rows: number; gaps: number },
  now: { clock: number; venue: number },
): StreamStatus {
  const { reached, lastErrorAt } = watch;
  return {
    name: watch.name,
    title,
    state: watch.state,
    note: watch.note,
    cursor: watch.cursor,
    reached: reached === undefined ? undefined : new Date(reached).toISOString(),
    lagSeconds: reached === undefined ? undefined : Math.max(0, (now.venue - reached) / 1000),
    rowsPerSecond: watch.rowsPerSecond(now.clock),
    rowsStored: known.rows,
    errors: watch.errors,
    lastError: watch.lastError,
    lastErrorAt: lastErrorAt === undefined ? undefined : new Date(lastErrorAt).toISOString(),
    openGaps: known.gaps,
  };
}
