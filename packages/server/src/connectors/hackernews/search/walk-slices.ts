import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { readSlice, type Slice, type SliceRead } from "./read-slice.ts";

export type SliceStep = SliceRead & {
  readonly slice: Slice;
  /** The width (seconds) of the next slice. */
  readonly width: number;
  /** Notices for the operator, and a gap if a single second contains more than a query returns. */
  readonly reported: Pick<Batch, "notices" | "gap">;
};

const WIDEST = 21_600;
/** After a slice with fewer hits the width is doubled. */
const FEW_HITS = 400;

/** Walks a time range in slices, oldest first, each small enough for one query: halved while it contains too much. */
export async function* walkSlices(
  options: Pick<PullOptions, "feed" | "signal">,
  span: Slice,
  firstWidth: number,
): AsyncGenerator<SliceStep> {
  let width = Math.max(1, Math.floor(firstWidth));
  for (let { from } = span; from < span.to;) {
    const slice = { from, to: Math.min(span.to, from + width) };
    const seconds = slice.to - slice.from;
    const read = await readSlice(options, slice);
    if (read.isCut && seconds > 1) {
      width = Math.floor(seconds / 2);
      continue;
    }
    if (read.hits.length < FEW_HITS && seconds === width) width = Math.min(WIDEST, width * 2);
    yield { ...read, slice, width, reported: report(read, slice) };
    from = slice.to;
  }
}

function report({ isCut, twice }: SliceRead, { from, to }: Slice): SliceStep["reported"] {
  const reason = "Algolia returns at most 1000 hits, and this second has more";
  return {
    ...(isCut && { gap: { from: isoOf(from), to: isoOf(to), reason } }),
    ...(twice > 0 && {
      notices: [
        { kind: "duplicate_rows" as const, text: "/search_by_date returned the same hits on two pages", count: twice },
      ],
    }),
  };
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
