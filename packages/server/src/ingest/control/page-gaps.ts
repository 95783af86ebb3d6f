import type { RefusedRow } from "../../definition/read-page.ts";
import type { ParkedPage } from "../feed/park.ts";

/** A stretch of time (Unix ms) of which something is missing because a page could not be read. */
export type PageGap = { readonly from: number; readonly to: number; readonly instrument: string | null };

/** When the rows of a page say nothing of their time: all that the walk it belongs to may have asked for. */
export type Turn = { readonly from: number; readonly to: number };

const MOST_GAPS = 20;
/** Stretches so near are one. */
const NEAR_MS = 1000;
/** Moments are finer than a millisecond upstream. */
const ROUNDING_MS = 1;

/** What is missing because of a parked page, as narrow as its rows tell; none where the walk stopped before it. */
export function pageGaps(page: Pick<ParkedPage, "refused" | "missing">, turn: Turn): readonly PageGap[] {
  const { refused = [], missing } = page;
  if (missing !== undefined) {
    const instruments = missing.instruments ?? [];
    const whole = { from: missing.from, to: Math.max(missing.from, missing.to) };
    if (instruments.length === 0 || instruments.length > MOST_GAPS) return [{ ...whole, instrument: null }];
    return instruments.map((instrument) => ({ from: whole.from, to: whole.to, instrument }));
  }
  const gaps = merged(refused.map((row) => gapOf(row, turn)));
  if (gaps.length <= MOST_GAPS) return gaps;
  const from = Math.min(...gaps.map((gap) => gap.from));
  return [{ from, to: Math.max(...gaps.map((gap) => gap.to)), instrument: null }];
}

function gapOf({ span, ...row }: RefusedRow, turn: Turn): PageGap {
  const instrument = row.instrument ?? null;
  if (span === undefined) return { ...turn, instrument };
  const { from, to } = span;
  if (span.isOpen) return { from: Math.min(from, turn.from), to: Math.max(to + ROUNDING_MS, turn.to), instrument };
  return { from, to: to + ROUNDING_MS, instrument };
}

function merged(gaps: readonly PageGap[]): PageGap[] {
  const ends: { from: number; to: number; instrument: string | null }[] = [];
  const last = new Map<string | null, (typeof ends)[number]>();
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const before = last.get(gap.instrument);
    if (before && gap.from <= before.to + NEAR_MS) before.to = Math.max(before.to, gap.to);
    else {
      const fresh = { ...gap };
      ends.push(fresh);
      last.set(gap.instrument, fresh);
    }
  }
  return ends;
}
