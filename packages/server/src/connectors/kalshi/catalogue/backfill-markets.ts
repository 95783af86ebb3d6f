import type { Batch, Cursor, PullOptions } from "../../../definition/connector.ts";
import { cursorText } from "../../../definition/cursor-number.ts";
import { type EventFacts, walkMarkets, type MarketsStep } from "./walk-markets.ts";
import { timestampOf, secondsOf } from "../wire/values.ts";

const PAGE_MARKETS = 1000;
const PAGE_LESS = 137;

type Range = { readonly from: string; readonly to: string };

/**
 * Markets that settled in the range: the live tier by its time filter, then the historical tier, which has none and is
 * walked from the newest settlement back to the range's start. Live first, so that nothing is lost as the cutoff moves.
 * Each repeated walk uses smaller pages, so that a market missed between two pages of the last one is on a page.
 */
export async function* backfillMarkets(options: PullOptions, range: Range): AsyncGenerator<Batch, void, void> {
  const known = new Map<string, EventFacts>();
  const key = `${range.from}/${range.to}`;
  const saved = options.cursor?.["range"] === key ? options.cursor : undefined;
  const from = secondsOf(range.from);
  const to = secondsOf(range.to) + 1;
  const at = (tier: string, page: string | undefined): Cursor => ({ range: key, tier, page: page ?? null });
  if (saved?.["tier"] === "done") return;
  const limit = PAGE_MARKETS - PAGE_LESS * (options.walk ?? 0);
  if (saved?.["tier"] !== "historical") {
    const filters = { limit, status: "settled", min_settled_ts: from, max_settled_ts: to };
    for await (const step of walkMarkets(options, "/markets", filters, known, cursorText(saved, "page"))) {
      yield { ...step.batch, cursor: at(step.next === undefined ? "historical" : "live", step.next) };
    }
  }
  const page = saved?.["tier"] === "historical" ? cursorText(saved, "page") : undefined;
  for await (const step of walkMarkets(options, "/historical/markets", { limit }, known, page)) {
    const oldest = oldestSettlement(step);
    yield {
      ...within(step, range),
      cursor: at("historical", step.next),
      ...(oldest !== undefined && oldest <= to && { since: timestampOf(Math.max(oldest, from)) }),
    };
    if (oldest !== undefined && oldest < from) break;
  }
  yield { rows: [], cursor: at("done", undefined), since: range.from, isCaughtUp: true };
}

function oldestSettlement(step: MarketsStep): number | undefined {
  const settled = step.page.flatMap((market) => (market.settlement_ts ? [secondsOf(market.settlement_ts)] : []));
  return settled.length === 0 ? undefined : Math.min(...settled);
}

/** Drops rows outside the range; keeps rows without a settlement time, because they may be inside. */
function within({ batch }: MarketsStep, range: Range): Pick<Batch, "rows" | "notices"> {
  const from = timestampOf(secondsOf(range.from));
  const to = timestampOf(secondsOf(range.to) + 1);
  const keep = (settled: unknown) => typeof settled !== "string" || (settled >= from && settled <= to);
  return {
    ...batch,
    rows: batch.rows.map(({ table, rows }) => ({ table, rows: rows.filter((row) => keep(row["settled_time"])) })),
  };
}
