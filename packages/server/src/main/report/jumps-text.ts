import { textTable } from "../../cli/text-table.ts";
import type { JumpsReport } from "./jumps-report.ts";

const share = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

const HEAD = ["RESOLUTION", "BUCKETS", "P AT MOST", "JUMPS", "REVERTED", "Q AT MOST", "REVERTED, BY CANDLE"];
const LEGEND = [
  "BUCKETS: of tokens, traded or quoted in this time. JUMPS: found by the robust method at that p-value.",
  "REVERTED: share of them of which half was given back within ten buckets; of as many of the largest candles beside it.",
  "Q AT MOST: share of false ones to expect if returns were normal, which they are not.",
];

/** The report for people: what was looked at, the table, and what its columns are. */
export function jumpsText({ from, to, least_change_pct: least, newest, lines }: JumpsReport): string {
  const days = `${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  if (newest === null) return "No changes of prices are worked out yet: the service or `almanac derive` does it.";
  if (lines.length === 0) return `No token was traded or quoted from ${days}; the newest change is of ${newest}.`;
  const cells = lines.map((line) => [
    line.resolution,
    String(line.buckets),
    line.p_value.toExponential(0),
    String(line.robust),
    share(line.robust_reverted),
    share(line.q_value),
    share(line.candle_reverted),
  ]);
  return [`Jumps of at least ${least} % from ${days}`, textTable(HEAD, cells), "", ...LEGEND].join("\n");
}
