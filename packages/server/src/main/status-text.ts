import { textTable } from "../cli/text-table.ts";
import type { IngestStatus, StreamStatus } from "../ingest/status/read-status.ts";

export type TableSize = { readonly name: string; readonly rows: string; readonly bytes: string };

const MAX_ERROR = 100;
const MAX_CURSOR = 48;

/**
 * The status as text: streams, budgets, tables, the last backup, problems, and the last errors in full. `backedUp` is
 * when the last backup completed.
 */
export function statusText(
  status: IngestStatus,
  tables: readonly TableSize[],
  trouble: readonly string[],
  backedUp: string | null,
): string {
  const headings = [
    "STREAM",
    "STATE",
    "COMPLETE TO",
    "LAG",
    "ROWS/S",
    "ROWS",
    "GAPS TO FILL",
    "NOT FILLABLE",
    "PARKED",
    "ERRORS",
  ];
  const cursors = status.streams.filter(({ cursor }) => cursor !== null).map((one) => [one.name, cursorOf(one)]);
  const errors = status.streams.flatMap((one) =>
    one.lastError === null ? [] : [[one.name, one.lastErrorAt, one.lastError.slice(0, MAX_ERROR)]],
  );
  const notes = status.streams.flatMap(({ name, note }) => (note === null ? [] : [[name, note]]));
  const standings = standingRows(status);
  const begun = status.streams.flatMap(({ name, since }) => (since === null ? [] : [[name, since]]));
  const parts = [
    textTable(headings, status.streams.map(streamRow)),
    cursors.length > 0 && textTable(["STREAM", "CURSOR"], cursors),
    begun.length > 0 &&
      `${textTable(["STREAM", "FOLLOWED SINCE"], begun)}\nalmanac backfill STREAM --from … backfills earlier data, if available`,
    notes.length > 0 && textTable(["STREAM", "NOTE"], notes),
    errors.length > 0 && textTable(["STREAM", "LAST ERROR AT", "LAST ERROR"], errors),
    status.leader !== null && `${status.leader.process} ingests and derives since ${status.leader.since}`,
    status.isRunning && textTable(["HOST", "ROUTE", "SPEED", "TOKENS", "WAITING"], budgetRows(status)),
    standings.length > 0 && textTable(["HOST", "CIRCUIT BREAKER", "SPENT (UTC DAY)"], standings),
    status.isRunning && textTable(["DERIVATION", "WAITING"], derivationRows(status)),
    status.retention.length > 0 &&
      textTable(["RETENTION", "ROWS", "DELETED BEFORE", "LAST RUN", "LAST ERROR"], status.retention.map(retentionRow)),
    tables.length > 0 &&
      textTable(
        ["TABLE", "ROWS", "BYTES ON DISK"],
        tables.map((one) => [one.name, one.rows, one.bytes]),
      ),
    `last backup: ${backedUp ?? "none"}`,
    trouble.length === 0 ? "all is well" : `trouble: ${trouble.join("; ")}`,
  ];
  return parts.filter((part) => part !== false).join("\n\n");
}

function streamRow(one: StreamStatus): unknown[] {
  return [
    one.name,
    one.isBehind ? `${one.state}, behind` : one.state,
    one.reached,
    seconds(one.lagSeconds),
    one.rowsPerSecond === null ? null : one.rowsPerSecond.toFixed(1),
    String(one.rowsStored),
    gaps(one.gaps.fillable, one.gaps.fillableSeconds),
    gaps(one.gaps.unfillable, one.gaps.unfillableSeconds),
    one.parked === 0 ? null : String(one.parked),
    one.errors === null ? null : String(one.errors),
  ];
}

function budgetRows({ hosts }: IngestStatus): unknown[][] {
  return Object.entries(hosts).flatMap(([host, { waiting, routes }]) =>
    Object.entries(routes).map(([route, { factor, tokens, capacity }]) => [
      host,
      route,
      percent(factor),
      `${tokens.toFixed(1)} of ${capacity.toFixed(1)}`,
      String(waiting),
    ]),
  );
}

/** Rows for hosts that have a breaker or a cap. */
function standingRows({ hosts }: IngestStatus): unknown[][] {
  return Object.entries(hosts).flatMap(([host, { circuit, spending }]) => {
    const spent = spending && `${spending.spentUsd} of ${spending.capUsd} USD on ${spending.day}`;
    return circuit || spent ? [[host, circuit?.replace("_", " ") ?? null, spent ?? null]] : [];
  });
}

const retentionRow = ({
  name,
  rows,
  gone_before,
  ran_at,
  last_error,
}: IngestStatus["retention"][number]): unknown[] => [
  name,
  String(rows),
  gone_before?.toISOString() ?? null,
  ran_at?.toISOString() ?? null,
  last_error?.slice(0, MAX_ERROR) ?? null,
];

const derivationRows = ({ derivations }: IngestStatus): unknown[][] =>
  Object.entries(derivations).map(([name, waiting]) => [name, String(waiting)]);

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const seconds = (given: number | null): string | null => (given === null ? null : `${Math.round(given)} s`);
const gaps = (count: number, covered: number): string | null =>
  count === 0 ? null : `${count} (${Math.round(covered)} s)`;

function cursorOf({ cursor }: StreamStatus): string {
  const text = JSON.stringify(cursor);
  return text.length > MAX_CURSOR ? `${text.slice(0, MAX_CURSOR)}…` : text;
}
