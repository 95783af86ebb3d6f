import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { type Look, lookAgain } from "../../definition/look-again.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { compareFills, readBetween } from "./check/compare-fills.ts";
import { readRoles, TakerRows, toDataFills } from "./data/to-data-fills.ts";
import { tradesV2Pages, UnreadTrades } from "./data/trades-v2-pages.ts";
import { dataHost } from "./hosts.ts";
import { polymarketTradesDataStream } from "./trades-data.ts";

/** The feed is complete within this time (reference/polymarket.md §5.3). */
const BEHIND_SECONDS = 180;
/** The feed is read from its head each time, so a window is long. */
const WINDOW_SECONDS = 3600;
/** Page boundaries differ from those of the first read (of 1,000), and differ in each pass. */
const PAGE_ROWS = 900;
const PAGE_LESS = 137;
/** From this pass on, transactions without a taker's fill are stored with unknown roles. */
const LATER_LOOKS = 3;

/**
 * Reads the fills of the Data API a second time, for use without a chain to compare them with: minutes later, with
 * another page size. A transaction with a missing fill is stored entirely. No gap triggers a third read, because a
 * backfill goes market by market: the span is read again until nothing more is found.
 */
export const polymarketTradesDataCheckStream = definePull({
  name: "polymarket-trades-data-check",
  title: "Polymarket's fills from the Data API, checked again",
  venue: "polymarket",
  host: dataHost,
  tables: [],
  addsTo: [polymarketFills, polymarketTokens],
  everySeconds: 60,
  canBackfill: false,
  isPatient: true,
  replacedBy: "polymarket-trades-chain",
  pull,
});

function pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  return lookAgain(options, {
    of: polymarketTradesDataStream.name,
    called: "fills",
    behindSeconds: BEHIND_SECONDS,
    windowSeconds: WINDOW_SECONDS,
    opensGap: false,
    look: (from, to, time) => look(options, from, to, time),
  });
}

async function look(options: PullOptions, from: number, to: number, time: number): Promise<Look> {
  const rows = PAGE_ROWS - PAGE_LESS * time;
  const unread = new UnreadTrades();
  const pages = tradesV2Pages(options, { takerOnly: false, unread, rows });
  const read = await readBetween(pages, from - 1, to - 1);
  const reported = read.trades.filter((trade) => !unread.has(trade));
  const stored = (await options.storedFills?.legs(read.from + 1, to)) ?? [];
  const { agreed, missing, unlisted } = compareFills(reported, stored);
  const seconds = missing.map((trade) => trade.seconds);
  const found = { agreed, missing: seconds, unlisted, unreachedSeconds: read.from + 1 - from };
  if (missing.length === 0) return { rows: [], ...found };
  const wanted = new Set(missing.map(({ tx_hash }) => tx_hash));
  const takers = new TakerRows(tradesV2Pages(options, { takerOnly: true, unread, rows }));
  await takers.readTo(Math.min(...seconds));
  const legs = reported.filter((trade) => wanted.has(trade.tx_hash) && !unread.has(trade));
  const { roleOf, lacking } = readRoles(legs, (leg) => takers.roleOf(leg));
  const kept = legs.filter(({ tx_hash }) => time >= LATER_LOOKS || !lacking.has(tx_hash));
  return { rows: toDataFills(kept, roleOf), ...found };
}
