import type { Gap, Maker } from "../../definition/coverage.ts";
import { heldSince } from "../control/backfill-record.ts";
import { lateSince } from "../control/save-batch.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";
import type { FilledGap, WrittenGap, Written } from "./read-records.ts";
import type { PullConnector, Connector } from "../../definition/connector.ts";
import { behindMs, DERIVED_BEHIND_MS } from "./judge-stream.ts";
import type { Span } from "../../definition/spans.ts";
import type { Feeding } from "./feeding.ts";

/**
 * A sentence for each maker that lags behind what its streams stored of the requested range. It may lag a minute behind
 * the newest rows, but not behind history stored since: nothing else reports those rows as missing.
 * `filled`: gaps of the requested range.
 */
export function reportLate(
  { makers, streamsOf }: Feeding,
  written: Written,
  requested: Span,
  now: number,
  filled: readonly FilledGap[],
): string[] {
  const each = new Map(makers.map((maker) => [maker.name, maker]));
  const isPastLate = (maker: string, stored: number): boolean =>
    isStoredSince(streamsOf.get(maker) ?? NO_STREAM, written, requested, stored) ||
    filled.some(({ filled_at: at }) => at.getTime() > stored);
  return [...each.values()].flatMap(({ name, title, everySeconds }) => {
    const through = written.derived.get(name)?.getTime();
    if (through === undefined) return [`${title}: not derived yet.`];
    const isInTime = now - through <= DERIVED_BEHIND_MS + 2000 * everySeconds;
    const isLate =
      everySeconds === 0 ? isPastLate(name, derivedUntil(through)) : !isInTime && isPastLate(name, through);
    if (!isLate && (isInTime || requested.to <= through)) return [];
    return [`${title}: derived from rows stored up to ${new Date(through).toISOString()}.`];
  });
}

const NO_STREAM: ReadonlySet<string> = new Set();

/** Time (Unix ms) up to which stored rows are derived: the records keep an earlier one, to look for rows from. */
const derivedUntil = (through: number): number => through + STAMP_MARGIN_MS;

/** Time (Unix ms) up to which stored rows are derived by all continuous makers; infinite if none has begun. */
export function derivedBy(makers: readonly Maker[], { derived }: Written): number {
  const atOnce = makers.filter(({ everySeconds }) => everySeconds === 0);
  const through = atOnce.flatMap(({ name }) => derived.get(name)?.getTime() ?? []);
  return derivedUntil(Math.min(...through));
}

/** Whether rows of the requested range were stored after a time by a backfill, or by a stream that was behind. */
function isStoredSince(names: ReadonlySet<string>, written: Written, requested: Span, stored: number): boolean {
  const streams = [...names].flatMap((name) => written.streams.get(name) ?? []);
  const walks = written.backfills.filter(({ stream }) => names.has(stream));
  const spans = [
    ...streams.flatMap((stream) => lateSince(stream, stored)),
    ...walks.flatMap((walk) => heldSince(walk, stored)),
  ];
  return spans.some(({ from, to }) => from <= requested.to && to >= requested.from);
}

const MAX_GAPS = 100;

export type ReportedGaps = { readonly gaps: readonly Gap[]; readonly reasons: readonly string[] };

/** Gaps of the requested range, with sentences that count the open ones and those filled since a walk began. */
export function reportGaps(open: readonly WrittenGap[], filled: readonly WrittenGap[]): ReportedGaps {
  const gaps = [...open.map((gap) => toGap(gap)), ...filled.map((gap) => toGap(gap, "filled after this walk began"))];
  return { gaps: gaps.slice(0, MAX_GAPS), reasons: [...countOpen(open), ...countFilled(filled)] };
}

function countOpen(gaps: readonly WrittenGap[]): string[] {
  const all = countOf(gaps);
  if (all === 0) return [];
  const lost = countOf(gaps.filter(({ unfillable }) => unfillable !== null));
  const [count, those] =
    all === 1 ? ["1 gap is", "it"] : [`${all} gaps are`, lost === all ? "they" : `${lost} of them`];
  return [`${count} in the requested range${lost === 0 ? "" : `; ${those} cannot be filled`}.`];
}

function countFilled(gaps: readonly WrittenGap[]): string[] {
  const all = countOf(gaps);
  if (all === 0) return [];
  const [count, were, whose] = all === 1 ? ["1 gap", "was", "its"] : [`${all} gaps`, "were", "their"];
  return [
    `${count} in the requested range ${were} filled after this walk began: ${whose} rows are omitted; start again without a cursor.`,
  ];
}

const countOf = (gaps: readonly WrittenGap[]): number => gaps.reduce((sum, { alike }) => sum + alike, 0);

function toGap({ instrument, from_at, to_at, reason, unfillable }: WrittenGap, note?: string): Gap {
  const what = instrument === null ? reason : `${instrument}: ${reason}`;
  const more = note ?? (unfillable === null ? undefined : `cannot be filled: ${unfillable}`);
  return {
    from: from_at.toISOString(),
    to: to_at?.toISOString() ?? null,
    reason: more === undefined ? what : `${what}; ${more}`,
  };
}

/**
 * A sentence on what a selective stream brings: its venue can never be reported as fully covered, and a result without
 * its rows looks the same when it is off or down.
 */
export function reportChoice(connector: PullConnector, { streams }: Written, now: number): string {
  const { name, title, holdsOnly } = connector;
  const row = streams.get(name);
  if (row === undefined) return `${title}: not started yet.`;
  if (row.state === "off" || row.state === "replaced") return reportOff(connector);
  const since =
    row.last_ok_at === null ? "has stored nothing yet" : `last succeeded at ${row.last_ok_at.toISOString()}`;
  if (row.state === "failing") return `${title} is failing, and ${since}.`;
  if (row.state === "stopped" || now - row.updated_at.getTime() > 2 * behindMs(connector)) {
    return `${title} is not running, and ${since}.`;
  }
  return `${title}: only ${holdsOnly}.`;
}

/** Says that a stream is off; how to turn it on is shown to operators by `almanac status`. */
export const reportOff = ({ title }: Connector): string => `${title}: not collected by this service.`;
