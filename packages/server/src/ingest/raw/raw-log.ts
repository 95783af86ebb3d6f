import type { Logger } from "pino";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import type { IngestMetrics } from "../ingest-metrics.ts";
import { PARTS_OF_ALL_REPLICAS } from "../../definition/table-sql.ts";
import { bind, sql } from "../../definition/sql.ts";
import { PAYLOAD_KINDS } from "../../definition/vocabulary.ts";

const HOUR_MS = 3_600_000;

/** Drops the partitions (one per hour) entirely older than `hours`; with 0 hours all of them. */
export async function dropOldPayloads(
  store: Pick<Store, "rows" | "alter">,
  table: TableDefinition,
  hours: number,
  nowMs: number,
): Promise<void> {
  const before = hours === 0 ? Number.MAX_SAFE_INTEGER : Math.floor((nowMs - (hours + 1) * HOUR_MS) / 1000);
  const old = await store.rows<{ id: string }>(
    sql`SELECT DISTINCT partition_id AS id FROM ${PARTS_OF_ALL_REPLICAS} AND table = ${bind("String", table.name)} AND toUnixTimestamp(parseDateTimeBestEffort(partition)) < ${bind("UInt64", String(before))}`,
  );
  for (const { id } of old) {
    const text = `ALTER TABLE ${table.name} DROP PARTITION ID '${id.replaceAll(/[^0-9A-Za-z-]/g, "")}'`;
    await store.alter({ kind: "sql", text, values: [] });
  }
}

export type RawPayload = {
  readonly host: string;
  readonly stream: string;
  readonly route: string;
  readonly path: string;
  /** 0 for a frame. */
  readonly status: number;
  readonly kind: (typeof PAYLOAD_KINDS)[number];
  /** The bytes of a body as received, or the text of a frame. */
  readonly body: Buffer | string;
};

/** Keeps payloads of upstreams. `keep` never waits and never throws. */
export type RawLog = {
  readonly keep: (payload: RawPayload) => void;
  /** Stores what is queued and ends. */
  readonly close: () => Promise<void>;
};

export type RawLogOptions = {
  readonly store: Pick<Store, "append" | "rows" | "alter">;
  readonly table: TableDefinition;
  readonly hours: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  /** Maximum size of queued payloads; beyond it they are dropped, counted and logged. */
  readonly maxChars?: number;
  readonly flushMs?: number;
};

const MAX_CHARS = 32 * 1024 * 1024;
/** Share of the queue's maximum that triggers a flush: a walk's answers fill the rest within the seconds it takes. */
const STORED_AT_ONCE = 0.25;
const FLUSH_MS = 5000;
const CLEAN_MS = 600_000;
const REPORT_MS = 60_000;

/** Counts dropped payloads, and logs them at most once a minute. */
function losing({ clock, log, metrics }: Pick<RawLogOptions, "clock" | "log" | "metrics">) {
  let lost = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (count: number, why: string): void => {
    lost += count;
    metrics.rawLost.inc(count);
    if (clock.monotonicMs() - reportedAt < REPORT_MS) return;
    reportedAt = clock.monotonicMs();
    log.warn({ lost, why }, "raw payloads were not kept");
    lost = 0;
  };
}

/** Appends payloads in batches in the background, and drops those older than the configured hours. */
export function createRawLog(options: RawLogOptions): RawLog {
  const { store, table, hours, clock, log, metrics, maxChars = MAX_CHARS, flushMs = FLUSH_MS } = options;
  const ended = new AbortController();
  let waiting: Waiting[] = [];
  let chars = 0;
  const lose = losing(options);
  /** Ends the pause between two flushes. */
  let resting = new AbortController();

  const flush = async (): Promise<void> => {
    const rows = waiting;
    const size = chars;
    if (rows.length === 0) return;
    waiting = [];
    try {
      await store.append(table, packedOf(rows));
      metrics.rawKept.inc(size);
    } catch (error) {
      lose(rows.length, error instanceof Error ? error.message : String(error));
    } finally {
      // They take room until they are stored.
      chars -= size;
    }
  };
  const run = async (): Promise<void> => {
    let cleanedAt = Number.NEGATIVE_INFINITY;
    while (!ended.signal.aborted) {
      await flush();
      if (clock.monotonicMs() - cleanedAt >= CLEAN_MS) {
        cleanedAt = clock.monotonicMs();
        await dropOldPayloads(store, table, hours, clock.now()).catch((error: unknown) =>
          log.warn({ err: error }, "old raw payloads could not be dropped; retrying"),
        );
      }
      await clock.sleep(flushMs, AbortSignal.any([ended.signal, resting.signal])).catch(() => undefined);
      resting = new AbortController();
    }
    await flush();
  };
  const running = run();
  return {
    keep: (payload) => {
      if (hours === 0 || ended.signal.aborted) return;
      if (chars + payload.body.length > maxChars) {
        lose(1, "more arrived than could be stored");
        return;
      }
      chars += payload.body.length;
      waiting.push({ nowMs: clock.now(), payload });
      if (chars >= maxChars * STORED_AT_ONCE) resting.abort();
    },
    close: () => {
      ended.abort(new Error("the raw log is closed"));
      return running;
    },
  };
}

type Waiting = { readonly nowMs: number; readonly payload: RawPayload };

/** Maximum bytes of a row in addition to its body, unless its path is long. */
const BESIDE_BODY = 512;

/**
 * Rows of raw_payloads, with columns in the table's order. The buffer is allocated at its final size: one that doubles
 * leaves as much garbage outside the heap, and V8 collects the entire heap after each 64 MB of that.
 */
function packedOf(rows: readonly Waiting[]): PackedRows {
  const bytes = rows.reduce((sum, { payload }) => sum + Buffer.byteLength(payload.body) + BESIDE_BODY, 0);
  const row = new RowWriter(bytes);
  for (const { nowMs, payload } of rows) {
    row.begin();
    row.millis(Math.floor(nowMs));
    row.text(payload.host);
    row.text(payload.stream);
    row.text(payload.route);
    row.text(payload.path);
    row.count(payload.status);
    row.small(PAYLOAD_KINDS.indexOf(payload.kind) + 1);
    if (typeof payload.body === "string") row.text(payload.body);
    else row.octets(payload.body);
  }
  return row.packed();
}
