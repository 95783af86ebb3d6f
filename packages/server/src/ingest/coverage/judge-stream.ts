import type { Connector } from "../../definition/connector.ts";
import { heldBy } from "../control/backfill-record.ts";
import type { StreamRow } from "../control/save-batch.ts";
import type { Written } from "./read-records.ts";
import { mergeSpans, type Span } from "../../definition/spans.ts";

export type Judged = {
  /** Whether the time up to which results are complete depends on it. */
  readonly isCounted: boolean;
  /** The span the stream covers around its watermark; absent while it covers nothing. */
  readonly span?: Span;
  /** Says that it does not reach the end of the requested range. */
  readonly lag?: string | undefined;
  /** Says that rows before its span are missing. */
  readonly missing?: string | undefined;
};

const STALE_MS = 60_000;

const iso = (timestamp: number): string => new Date(timestamp).toISOString().replace(/\.000Z$/, "Z");

/** Judges whether one running stream (with those it replaces) covers a range entirely; `asked.to` is at most now. */
export function judgeStream(
  connector: Connector,
  replaced: readonly Connector[],
  written: Written,
  requested: Span,
  now: number,
): Judged {
  const row = written.streams.get(connector.name);
  const { title } = connector;
  // A stream that only adds to others' rows never reports a watermark.
  if (row !== undefined && row.reached === null && row.state === "caught_up") return { isCounted: false };
  if (row === undefined || row.reached === null) {
    const why =
      row?.last_error && row.state === "failing" ? "is failing and has stored nothing yet" : "has only just started";
    return { isCounted: true, lag: row === undefined ? `${title}: not started yet.` : `${title} ${why}.` };
  }
  const reached = row.reached.getTime();
  const spans = mergeSpans([connector, ...replaced].flatMap(({ name }) => spansOf(name, written)));
  const isReached = isFresh(row, connector, now) || requested.to <= reached + behindMs(connector);
  // Anything after its watermark is already reported by `lag`.
  const first = Math.min(requested.from, reached);
  const asking = { from: first, to: Math.max(first, Math.min(requested.to, reached)) };
  const isHeld = spans.some(({ from, to }) => from <= asking.from && to >= asking.to);
  const span = spans.find(({ from, to }) => from <= reached && to >= reached) ?? { from: reached, to: reached };
  return {
    isCounted: true,
    span,
    lag: isReached ? undefined : `${title} ${stateOf(row, connector, now)}: it holds rows up to ${iso(reached)}.`,
    missing: isHeld ? undefined : `${title}: ${missingOf(connector, written, span)}`,
  };
}

/** Spans (Unix ms) that a stream covered. */
export function spansOf(stream: string, { streams, backfills }: Written): Span[] {
  const row = streams.get(stream);
  const live = row?.reached
    ? [{ from: row.since?.getTime() ?? Number.NEGATIVE_INFINITY, to: row.reached.getTime() }]
    : [];
  return [...live, ...backfills.filter((backfill) => backfill.stream === stream).flatMap(heldBy)];
}

/** Without events the newest row ages, but a stream that just found nothing more is not behind. */
export const isFresh = ({ state, last_ok_at: at }: StreamRow, connector: Connector, now: number): boolean =>
  state === "caught_up" && at !== null && now - at.getTime() <= behindMs(connector);

function stateOf(row: { state: string; updated_at: Date }, connector: Connector, now: number): string {
  if (row.state === "failing") return "is failing";
  const every = connector.kind === "pull" ? connector.everySeconds * 3000 : 0;
  const isStale = now - row.updated_at.getTime() > STALE_MS + every;
  return row.state === "stopped" || isStale ? "is not running" : "is behind";
}

function missingOf(connector: Connector, { backfills }: Written, span: Span): string {
  const isUnderWay = backfills.some(({ stream, finished_at }) => stream === connector.name && finished_at === null);
  const from = Number.isFinite(span.from)
    ? `history before ${iso(span.from)} is not stored`
    : "not all of the history is stored";
  if (isUnderWay) return `${from} yet; a backfill is running.`;
  const isPossible = connector.kind === "pull" && connector.canBackfill;
  return `${from}${isPossible ? " yet" : " and can no longer be fetched"}.`;
}

const SOCKET_BEHIND_MS = 15_000;
const PULL_BEHIND_MS = 30_000;
/** How far derived rows may lag behind the newest stored ones (ms) before results are incomplete. */
export const DERIVED_BEHIND_MS = 60_000;

/** Maximum age (ms) of a stream's watermark before it counts as behind. */
export function behindMs(connector: Connector): number {
  return connector.kind === "socket" ? SOCKET_BEHIND_MS : PULL_BEHIND_MS + 2000 * connector.everySeconds;
}

/** Age (ms) at which rows being stored count as late: results are incomplete until they are derived. */
export const lateMs = (connector: Connector): number => Math.max(DERIVED_BEHIND_MS, behindMs(connector));
