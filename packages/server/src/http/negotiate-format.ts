import { CallerError } from "../definition/errors.ts";
import type { FormatType } from "../query/answer.ts";
import { readWeightedList, type Weighted } from "./weighted-list.ts";

const OFFERED: readonly { readonly type: string; readonly format: FormatType | undefined }[] = [
  { type: "application/json", format: undefined },
  { type: "text/csv", format: "csv" },
  { type: "application/x-ndjson", format: "ndjson" },
  { type: "application/vnd.apache.parquet", format: "parquet" },
  { type: "application/vnd.apache.arrow.stream", format: "arrow" },
];

type Match = { readonly specificity: number; readonly range: Weighted };

/**
 * The format asked for by Accept; undefined where JSON is as good as any, so that the body may decide.
 * Throws NOT_ACCEPTABLE when nothing offered is accepted.
 */
export function negotiateFormat(accept: string | undefined): FormatType | undefined {
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept.trim() === "")
    return undefined;
  const ranges = readWeightedList(accept);
  const acceptable = OFFERED.flatMap((offer) => {
    const match = bestMatch(offer.type, ranges);
    return match === undefined || match.range.weight === 0 ? [] : [{ offer, match }];
  });
  acceptable.sort(
    (a, b) =>
      b.match.range.weight - a.match.range.weight ||
      b.match.specificity - a.match.specificity ||
      a.match.range.place - b.match.range.place,
  );
  const [best] = acceptable;
  if (best !== undefined) return best.offer.format;
  throw new CallerError(
    "NOT_ACCEPTABLE",
    `Accept names no format that is offered; it may be one of ${OFFERED.map((offer) => offer.type).join(", ")}.`,
  );
}

function bestMatch(type: string, ranges: readonly Weighted[]): Match | undefined {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  const order = [type, family, "*/*"];
  for (const [index, name] of order.entries()) {
    const range = ranges.find((one) => one.name === name);
    if (range !== undefined) return { specificity: order.length - index, range };
  }
  return undefined;
}
