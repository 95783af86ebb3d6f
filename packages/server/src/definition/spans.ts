/** A time span in Unix ms; `from` may be -Infinity. */
export type Span = { readonly from: number; readonly to: number };

/** Sorts spans and merges those that touch or overlap. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const span of spans.filter(({ from, to }) => to >= from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Subtracts holes from spans; holes must be sorted and disjoint, as `mergeSpans` returns them. */
export function without(spans: readonly Span[], holes: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const parts: Span[] = [];
    let from = span.from;
    for (const hole of holes.filter((one) => one.to > span.from && one.from < span.to)) {
      if (hole.from > from) parts.push({ from, to: hole.from });
      from = Math.max(from, hole.to);
    }
    return from < span.to ? [...parts, { from, to: span.to }] : parts;
  });
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The UTC interval of `minutes` minutes that contains a timestamp; Unix ms, both ends inclusive. */
export function minutesAt(timestamp: number, minutes: number): Span {
  const length = minutes * MINUTE_MS;
  const from = Math.floor(timestamp / length) * length;
  return { from, to: from + length - 1 };
}

/** The local day, or the week from Monday, that contains a timestamp; Unix ms, both ends inclusive. */
export function daysAt(timestamp: number, days: 1 | 7, zone: string): Span {
  const length = days * DAY_MS;
  const first = days === 7 ? FIRST_MONDAY_MS : 0;
  const local = timestamp + aheadMs(timestamp, zone);
  const begin = first + Math.floor((local - first) / length) * length;
  return { from: toUtc(begin, zone), to: toUtc(begin + length, zone) - 1 };
}

/** Converts local time to UTC. Looked up twice, because the offset may change within a day of it. */
function toUtc(local: number, zone: string): number {
  const near = local - aheadMs(local, zone);
  return local - aheadMs(near, zone);
}

/** The zone's UTC offset at a timestamp. */
function aheadMs(timestamp: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(
    timestamp,
  );
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** A span in Unix seconds, both inclusive, from which rows were removed. */
export type LeftSpan = { readonly from: number; readonly to: number };

/**
 * A range of blocks whose rows are given completely: any other stored rows of these blocks belong to an abandoned fork.
 * `since` is the timestamp (ISO) of the block before the first, `until` that of the last.
 */
export type BlockScope = {
  readonly from: number;
  readonly to: number;
  readonly since: string;
  readonly until: string;
  /** Transactions to leave alone: their stored rows are not touched. */
  readonly except?: readonly string[];
  /** Transactions that the chain does not have: their provisional rows are removed. */
  readonly dropped?: readonly string[];
};
