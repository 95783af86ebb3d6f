import { MIB } from "../../definition/upstream-bounds.ts";
import type { Host } from "../../definition/connector.ts";

/** The order book over REST. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3. */
export const clobHost: Host = {
  name: "polymarket-clob",
  setting: "POLYMARKET_CLOB_URL",
  // 100 books, each of up to 1,000 prices a side.
  maxBytes: 8 * MIB,
  limits: {
    all: { tokens: 9000, perSeconds: 10 },
    books: { tokens: 500, perSeconds: 10 },
  },
  share: 0.5,
};

/** The Data API v2. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3. */
export const dataHost: Host = {
  name: "polymarket-data",
  setting: "POLYMARKET_DATA_URL",
  // 1,000 rows of a kilobyte.
  maxBytes: 4 * MIB,
  limits: {
    all: { tokens: 800, perSeconds: 10 },
    v2_trades: { tokens: 300, perSeconds: 10 },
    v2_activity: { tokens: 200, perSeconds: 10 },
  },
  share: 0.5,
};

/**
 * Gamma, Polymarket's catalogue. Limits per address in a sliding 10 s window: reference/polymarket.md §0.3. Listings of
 * markets and events also share a limit of 900, which their own limits keep at our share.
 */
export const gammaHost: Host = {
  name: "polymarket-gamma",
  setting: "POLYMARKET_GAMMA_URL",
  // 100 markets of 5 to 15 kB with their events.
  maxBytes: 8 * MIB,
  limits: {
    all: { tokens: 4000, perSeconds: 10 },
    events: { tokens: 500, perSeconds: 10 },
    markets: { tokens: 300, perSeconds: 10 },
  },
  share: 0.5,
};

/**
 * The market websocket. Its quotas are not published (reference/polymarket.md §6): `all` bounds connections, by our own
 * choice.
 */
export const marketSocketHost: Host = {
  name: "polymarket-market-socket",
  setting: "POLYMARKET_WS_URL",
  // The books of 50 tokens in one frame.
  maxBytes: 2 * MIB,
  limits: { all: { tokens: 100, perSeconds: 10 } },
  share: 0.5,
};

/**
 * A Polygon JSON-RPC node of the operator's choice. Nodes differ and publish little: paid plans allow at least 50 calls
 * a second, a setting can raise that, and half of it is used; a node that allows less answers 429 and the rate is
 * reduced.
 */
export const polygonHost: Host = {
  name: "polygon",
  setting: "POLYGON_RPC_URL",
  // Ranges are sized so that their logs take half of it.
  maxBytes: 8 * MIB,
  limits: { all: { tokens: 50, perSeconds: 1, burst: 50 } },
  share: 0.5,
  granted: "POLYGON_RPC_CALLS_PER_SECOND",
};

/**
 * The real-time data socket. Its quotas are not published (reference/polymarket.md §7): `all` bounds connections, by
 * our own choice.
 */
export const rtdsHost: Host = {
  name: "polymarket-rtds",
  setting: "POLYMARKET_RTDS_URL",
  maxBytes: 2 * MIB,
  limits: { all: { tokens: 10, perSeconds: 10 } },
  share: 0.5,
};
