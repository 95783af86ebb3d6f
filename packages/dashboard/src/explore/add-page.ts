import type { Answer, Coverage, Row } from "@almanac/client";
import { joinCoverage } from "../read/join-coverage.ts";
import type { SentRequest } from "./request.ts";

/** All loaded pages of a query. */
export type Answered = {
  readonly request: SentRequest;
  readonly rows: readonly Row[];
  readonly pages: number;
  /** Coverage of all rows, not of the newest page alone. */
  readonly coverage: Coverage;
  readonly warnings: readonly string[];
  /** The newest page. */
  readonly last: Answer;
  readonly ms: number;
};

/** Appends a page. */
export function addPage(
  kept: Answered | undefined,
  { request, last, ms }: Pick<Answered, "request" | "last" | "ms">,
): Answered {
  const { results, coverage, warnings } = last;
  if (kept === undefined) return { request, rows: results, pages: 1, coverage, warnings, last, ms };
  return {
    request,
    rows: [...kept.rows, ...results],
    pages: kept.pages + 1,
    coverage: joinCoverage(kept.coverage, coverage),
    warnings: [...new Set([...kept.warnings, ...warnings])],
    last,
    ms,
  };
}
