import type { Batch, ReplayedPage, TableRows } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { polymarketMarkets } from "../../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import { type GammaMarket, marketPageWire } from "./gamma-market-wire.ts";
import { toMarket } from "./to-market.ts";

/** Rows of a page of markets, with a notice for each kind of market skipped. */
export function marketRows(items: readonly GammaMarket[], nowIso: string): Pick<Batch, "rows" | "notices"> {
  const markets: InsertRow[] = [];
  const tokens: InsertRow[] = [];
  const left = { no_condition: 0, not_binary: 0 };
  for (const item of items) {
    const made = toMarket(item, nowIso);
    if (made.kept) {
      markets.push(made.market);
      tokens.push(...made.tokens);
    } else left[made.reason] += 1;
  }
  const notices = [
    {
      kind: "upstream_note" as const,
      text: "Markets without exactly two outcomes were skipped",
      count: left.not_binary,
    },
    { kind: "upstream_note" as const, text: "Markets without a condition id were skipped", count: left.no_condition },
  ].filter((notice) => notice.count > 0);
  const rows = [
    // Tokens come first: processing triggered by a market's row looks up the outcomes of its tokens.
    { table: polymarketTokens, rows: tokens },
    { table: polymarketMarkets, rows: markets },
  ];
  return notices.length > 0 ? { rows, notices } : { rows };
}

/** The markets of a parked page, stored only if not known yet. */
export function replayMarkets({ read, receivedMs }: ReplayedPage): TableRows[] {
  return marketRows(read(marketPageWire).markets, new Date(receivedMs).toISOString()).rows.map(ifAbsent);
}

/** Rows of an old page of the catalogue: they must not overwrite later reads. */
export function ifAbsent({ table, rows }: TableRows): TableRows {
  return { table, rows, mode: "if_absent" };
}
