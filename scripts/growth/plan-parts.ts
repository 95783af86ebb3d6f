import type { Figures } from "./figures.ts";
import { at, fitLine, fitPower } from "./fit.ts";
import type { Load, Plan, Range } from "./plan.ts";

const DAY_SECONDS = 86_400;

/** Between a line through the stores, and a power: it grew faster than its fills between the smallest and the largest. */
export function derivedBytes(fills: number, figures: Figures): Range {
  const straight = at(fitLine(figures.derived_bytes), fills);
  const { scale, power } = fitPower(figures.derived_bytes);
  const bent = scale * fills ** power;
  const [low, high] = [Math.min(straight, bent), Math.max(straight, bent)];
  return { low, likely: Math.sqrt(low * high), high };
}

/** Rows are stored by every replica; frames are read and figures worked out once. */
export function coresOf(load: Load, figures: Figures): Plan["cores"] {
  const fillsASecond = (load.fills_a_day / DAY_SECONDS) * load.peak;
  const changesASecond = (load.book_changes_a_day / DAY_SECONDS) * load.peak;
  const growth = 1 + figures.question_growth_a_decade * Math.max(0, Math.log10(load.fills / figures.question_at_fills));
  return {
    store: scaled(figures.store_cpu_us_a_fill, (fillsASecond * load.replicas) / 1e6),
    derive: added(figures.live_cores, scaled(figures.derive_cpu_us_a_fill, fillsASecond / 1e6)),
    frames: scaled(figures.frame_cpu_us_a_change, changesASecond / 1e6),
    books: scaled(figures.book_cpu_us_a_change, (changesASecond * load.replicas) / 1e6),
    questions: scaled(figures.question_cpu_ms, (load.questions_a_second * growth) / 1e3),
  };
}

export function indexBytes(load: Load, figures: Figures): Range {
  const marks =
    load.fills * figures.marks_a_fill + (load.book_changes_a_day * load.books_kept_days) / figures.book_rows_a_mark;
  return scaled(figures.index_bytes_a_mark, marks);
}

/** Rows as they are stored, once to each replica, and answers out. */
export function networkMbit(load: Load, figures: Figures): number {
  const stored =
    (load.fills_a_day / DAY_SECONDS) * figures.wire_bytes_a_fill +
    (load.book_changes_a_day / DAY_SECONDS) * figures.wire_bytes_a_change;
  return ((stored * load.peak * load.replicas + load.questions_a_second * figures.answer_bytes) * 8) / 1e6;
}

export const scaled = ({ low, likely, high }: Range, by: number): Range => ({
  low: low * by,
  likely: likely * by,
  high: high * by,
});
export const added = (a: Range, b: Range): Range => ({
  low: a.low + b.low,
  likely: a.likely + b.likely,
  high: a.high + b.high,
});
