import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { TableDefinition } from "../../definition/table.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import { mergeSpans, type Span } from "../coverage/spans.ts";
import type { Deriver } from "../derive.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import type { Planned } from "../plan-streams.ts";
import type { StreamWatch } from "../stream-watch.ts";
import { takeUnconfirmed, type Unconfirmed } from "./take-unconfirmed.ts";

export type Sweep = {
  readonly planned: readonly Planned[];
  readonly watches: ReadonlyMap<string, StreamWatch>;
  readonly store: Store;
  readonly deriver: Deriver;
  readonly db: Kysely<RecordsSchema>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  readonly signal: AbortSignal;
  readonly everySeconds?: number;
};

const EVERY_SECONDS = 30;
const MOST_GAPS = 1000;

/**
 * Until aborted: takes away what an early stream told and the streams that hold its tables whole never confirmed,
 * once they are `unconfirmedSeconds` beyond it. Each time is logged, counted and noted at the early stream.
 */
export async function sweepEarly(sweep: Sweep): Promise<void> {
  const { planned, clock, signal, log, everySeconds = EVERY_SECONDS } = sweep;
  const early = planned.filter(
    ({ connector, state }) => connector.kind === "socket" && connector.isEarly && state === "on",
  );
  while (!signal.aborted && early.length > 0) {
    await clock.sleep(everySeconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) return;
    for (const { connector } of early) {
      for (const table of connector.addsTo ?? []) {
        await sweepTable(sweep, connector.name, table).catch((error: unknown) =>
          log.error({ err: error, table: table.name }, "unconfirmed rows could not be looked for; tried again"),
        );
      }
    }
  }
}

async function sweepTable(sweep: Sweep, stream: string, table: TableDefinition): Promise<void> {
  const { planned, watches, store, deriver, db } = sweep;
  const seconds = table.standIns?.unconfirmedSeconds;
  if (seconds === undefined) return;
  const whole = planned.filter(({ connector, state }) => state === "on" && connector.tables.includes(table));
  const names = whole.map(({ connector }) => connector.name);
  const reached = names.map((name) => watches.get(name)?.reached ?? Number.NEGATIVE_INFINITY);
  const before = Math.min(...reached) - seconds * 1000;
  if (!Number.isFinite(before)) return;
  const gaps = await findGaps(db, names, before);
  const announce = deriver.begin(table);
  let taken: Unconfirmed = { rows: 0, moments: [] };
  try {
    taken = await takeUnconfirmed(table, store, before, gaps);
  } finally {
    announce(taken.moments.map((moment) => ({ [table.keyRange ?? ""]: moment })));
  }
  if (taken.rows > 0) await note(sweep, stream, taken.rows);
}

/** Where the streams that would have confirmed a row miss something; undefined ends last. */
async function findGaps(db: Kysely<RecordsSchema>, streams: readonly string[], before: number): Promise<Span[]> {
  const rows = await db
    .selectFrom("gaps")
    .select(["from_at", "to_at"])
    .where("stream", "in", streams)
    .where("filled_at", "is", null)
    .where("from_at", "<", new Date(before))
    .orderBy("from_at", "desc")
    .limit(MOST_GAPS)
    .execute();
  return mergeSpans(rows.map(({ from_at, to_at }) => ({ from: from_at.getTime(), to: to_at?.getTime() ?? before })));
}

async function note({ db, clock, log, metrics }: Sweep, stream: string, count: number): Promise<void> {
  metrics.unconfirmed.inc({ stream }, count);
  log.warn({ stream, count }, "rows told early were never confirmed; they are taken away");
  const text = "Told early and never confirmed: taken away";
  await db
    .insertInto("notices")
    .values({ stream, kind: "upstream_note", text, count, noticed_at: new Date(clock.now()) })
    .execute();
}
