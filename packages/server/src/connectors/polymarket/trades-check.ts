import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { compareTakers, toSpans, readBetween } from "./check/compare-fills.ts";
import { type DataTrade, fillKey } from "./data/trades-v2-wire.ts";
import { toDataFills } from "./data/to-data-fills.ts";
import { tradesV2Pages, UnreadTrades } from "./data/trades-v2-pages.ts";
import { isoSeconds } from "./exact/values.ts";
import { dataHost } from "./hosts.ts";
import { polymarketTradesChainStream } from "./trades-chain.ts";

/** Delay behind the chain walk: the Data API is complete by then (reference/polymarket.md §5.3). */
const BEHIND_SECONDS = 180;
/** The span compared in the first cycle. */
const FIRST_SECONDS = 600;
/** How much later or earlier a transaction's time on the chain may be. */
const APART_SECONDS = 600;
/** Seconds compared per cycle; the backlog of a long downtime is compared cycle by cycle. */
const MAX_SECONDS = 3600;

/**
 * Verifies the fills of the chain: every taker's fill that the Data API has must be stored from the chain some minutes
 * later. A missing one is stored from the Data API, and a gap in the chain's stream records its time.
 */
export const polymarketTradesCheckStream = definePull({
  name: "polymarket-trades-check",
  title: "Polymarket's fills, the Data API against the chain",
  venue: "polymarket",
  host: dataHost,
  tables: [],
  addsTo: [polymarketFills, polymarketTokens],
  everySeconds: 60,
  canBackfill: false,
  needs: {
    settings: ["POLYGON_RPC_URL"],
    adds: "a check of the chain's fills against the Data API",
  },
  pull,
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { cursor, storedFills } = options;
  const reachedMs = await storedFills?.reachedOf(polymarketTradesChainStream.name);
  const end = reachedMs === undefined ? undefined : Math.floor(reachedMs / 1000) - BEHIND_SECONDS;
  const checked = typeof cursor?.["checked"] === "number" ? cursor["checked"] : (end ?? 0) - FIRST_SECONDS;
  if (storedFills === undefined || end === undefined || end <= checked) {
    yield { rows: [], cursor: cursor ?? {}, isCaughtUp: true };
    return;
  }
  const to = Math.min(end, checked + MAX_SECONDS);
  const reported = await readBetween(tradesV2Pages(options, { takerOnly: true }), checked, to);
  const stored = await storedFills.takers(checked - APART_SECONDS, to + APART_SECONDS);
  const { agreed, missing, unlisted } = compareTakers(reported.trades, stored, reported.from, to);
  if (missing.length > 0) yield* missed(options, missing, cursor);
  yield {
    rows: [],
    cursor: { checked: to },
    reached: isoSeconds(to),
    since: isoSeconds(reported.from),
    compared: { agreed, missing: missing.length, unlisted },
    ...(reported.from > checked ? { notices: [notReached(reported.from - checked)] } : {}),
    isCaughtUp: to === end,
  };
}

/**
 * The complete transactions that the chain walk missed, as the Data API reports them, and their times. One with an
 * unreadable leg is left to the walk over its gap.
 */
async function* missed(
  options: PullOptions,
  missing: readonly DataTrade[],
  cursor: Batch["cursor"] | undefined,
): AsyncGenerator<Batch, void, void> {
  const seconds = missing.map((trade) => trade.seconds);
  const wanted = new Set(missing.map(({ tx_hash }) => tx_hash));
  const unread = new UnreadTrades();
  const pages = tradesV2Pages(options, { takerOnly: false, unread });
  const { trades } = await readBetween(pages, Math.min(...seconds) - 1, Math.max(...seconds));
  const takers = new Set(missing.map(fillKey));
  const legs = trades.filter((trade) => wanted.has(trade.tx_hash) && !unread.has(trade));
  const rows = toDataFills(legs, (leg) => (takers.has(fillKey(leg)) ? "taker" : "maker"));
  for (const [index, span] of toSpans(seconds).entries()) {
    const count = seconds.filter((second) => second >= span.from && second <= span.to).length;
    yield {
      rows: index === 0 ? rows : [],
      cursor: cursor ?? {},
      gap: {
        stream: polymarketTradesChainStream.name,
        from: isoSeconds(span.from - 1),
        to: isoSeconds(span.to + 1),
        reason: `the Data API has ${count} ${count === 1 ? "trade" : "trades"} that the chain walk did not return`,
      },
    };
  }
}

const notReached = (seconds: number) => ({
  kind: "upstream_note" as const,
  text: "The trades feed did not reach back: some seconds were not compared with the chain",
  count: seconds,
});
