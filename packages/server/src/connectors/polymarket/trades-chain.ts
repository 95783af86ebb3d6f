import { definePull } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { fillLogs } from "./chain/exchange-events.ts";
import { pullChain } from "./chain/pull-chain.ts";
import { toChainFills } from "./chain/to-chain-fills.ts";
import { polygonHost } from "./hosts.ts";

/** The first exchange was deployed here (reference/polymarket.md §8.1). */
const EXCHANGE_V1_BLOCK = 33_605_403;

/**
 * Every filled order from the logs of Polygon: maker and taker legs with their own hashes, seconds after the block. The
 * cursor contains the last block read and its time.
 */
export const polymarketTradesChainStream = definePull({
  name: "polymarket-trades-chain",
  title: "Polymarket's fills from Polygon",
  venue: "polymarket",
  host: polygonHost,
  tables: [polymarketFills],
  everySeconds: 2,
  // The block is readable a moment after RTDS reports (reference/polymarket.md §5.1).
  wokenBy: { stream: "polymarket-trades-rtds", column: "tx_hash", restSeconds: 0.4, cycles: 8 },
  canBackfill: true,
  needs: {
    settings: ["POLYGON_RPC_URL"],
    adds: "every fill within seconds of its block, with order hashes, exact amounts and fees, and history from 2022 where the node keeps it",
  },
  pull: pullChain({
    tables: [polymarketFills],
    firstBlock: EXCHANGE_V1_BLOCK,
    logs: fillLogs,
    toRows: (logs, secondsOf) => ({ rows: [{ table: polymarketFills, rows: toChainFills(logs, secondsOf) }] }),
  }),
});
