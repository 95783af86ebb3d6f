import type { IngestStatus } from "../ingest/status/read-status.ts";

/** The status as `--json` gives it. */
export function statusValue({ isRunning, streams, retention, leader, hosts, derivations }: IngestStatus) {
  return {
    running: isRunning,
    streams: streams.map((one) => ({
      name: one.name,
      title: one.title,
      state: one.state,
      note: one.note,
      cursor: one.cursor,
      reached: one.reached,
      since: one.since,
      lag_seconds: one.lagSeconds,
      behind: one.isBehind,
      rows_per_second: one.rowsPerSecond,
      rows_stored: one.rowsStored,
      errors: one.errors,
      last_error: one.lastError,
      last_error_at: one.lastErrorAt,
      open_gaps: one.gaps.fillable + one.gaps.unfillable,
      fillable_gaps: one.gaps.fillable,
      fillable_gap_seconds: one.gaps.fillableSeconds,
      unfillable_gaps: one.gaps.unfillable,
      unfillable_gap_seconds: one.gaps.unfillableSeconds,
      parked_pages: one.parked,
    })),
    retention: retention.map((one) => ({
      name: one.name,
      gone_before: one.gone_before?.toISOString() ?? null,
      rows: one.rows,
      ran_at: one.ran_at?.toISOString() ?? null,
      last_error: one.last_error,
    })),
    leader,
    hosts,
    derivations,
  };
}
