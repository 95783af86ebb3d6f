import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import type { DataTrade } from "./data/data-trade.ts";
import { followTrades } from "./data/follow-trades.ts";
import { TakerRows } from "./data/taker-rows.ts";
import { toDataFills } from "./data/to-data-fills.ts";
import { tradesV1Wire } from "./data/trades-v1-wire.ts";
import { UnreadTrades } from "./data/unread-trades.ts";
import { newV1Walk, tradesV1Pages, type V1Walk } from "./data/trades-v1-pages.ts";
import { dataV1Host } from "./hosts/data-v1-host.ts";

/** Markets walked one by one after the whole feed was cut short. */
const MOST_MARKETS = 100;

/**
 * Polymarket's fills from the first Data API, for hosts that have no other. It takes no times for trades, so a walk
 * that upstream cuts short goes on market by market, each with a reach of its own; what is still missing is a gap.
 */
export const polymarketTradesDataV1Stream = definePull({
  name: "polymarket-trades-data-v1",
  title: "Polymarket's fills from the first Data API",
  venue: "polymarket",
  host: dataV1Host,
  tables: [polymarketFills],
  addsTo: [polymarketTokens],
  everySeconds: 10,
  canBackfill: false,
  needs: {
    settings: ["POLYMARKET_DATA_V1_URL"],
    adds: "fills from a host that speaks the first Data API only; not needed beside the second",
  },
  replacedBy: "polymarket-trades-chain",
  pull,
  // A page alone does not tell takers from makers, and upstream serves no past to be walked again.
  replay: ({ path, read }) =>
    path.includes("takerOnly=true") ? [] : toDataFills(read(tradesV1Wire), () => "unknown", "data_api_v1"),
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const [full, taker] = [newV1Walk(), newV1Walk()];
  const unread = new UnreadTrades();
  const markets = new Set<string>();
  const last: Batch[] = [];
  const turn = followTrades({
    pages: noting(tradesV1Pages(options, { takerOnly: false, unread }, full), markets),
    takers: new TakerRows(tradesV1Pages(options, { takerOnly: true, unread }, taker), () => taker.isCut),
    unread,
    source: "data_api_v1",
    cursor: options.cursor,
  });
  for await (const batch of turn) {
    if (batch.isCaughtUp === true) last.push(batch);
    else yield batch;
  }
  const [end] = last;
  if (end === undefined) return;
  if (end.gap !== undefined) yield* byMarket(options, [...markets].slice(0, MOST_MARKETS));
  yield { ...end, ...noticesOf(full) };
}

/** What one market's own feed still has back to where the last turn ended. */
async function* byMarket(options: PullOptions, markets: readonly string[]): AsyncGenerator<Batch, void, void> {
  for (const market of markets) {
    const taker = newV1Walk();
    const unread = new UnreadTrades();
    const turn = followTrades({
      pages: tradesV1Pages(options, { takerOnly: false, market, unread }, newV1Walk()),
      takers: new TakerRows(tradesV1Pages(options, { takerOnly: true, market, unread }, taker), () => taker.isCut),
      unread,
      source: "data_api_v1",
      cursor: options.cursor,
    });
    for await (const batch of turn) if (batch.isCaughtUp !== true) yield batch;
    if (options.signal.aborted) return;
  }
}

async function* noting(pages: AsyncIterable<readonly DataTrade[]>, markets: Set<string>) {
  for await (const page of pages) {
    for (const row of page) markets.add(row.condition_id);
    yield page;
  }
}

function noticesOf(walk: V1Walk): Pick<Batch, "notices"> {
  const notices = [
    { kind: "repeated_page" as const, text: walk.ending, count: walk.repeatedRows },
    { kind: "duplicate_rows" as const, text: "Rows were pushed into the next page", count: walk.shiftedRows },
    { kind: "upstream_note" as const, text: walk.ending, count: walk.isCut && walk.repeatedRows === 0 ? 1 : 0 },
  ].filter((notice) => notice.count > 0);
  return notices.length > 0 ? { notices } : {};
}
