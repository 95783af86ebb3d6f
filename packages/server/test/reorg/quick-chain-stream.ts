import { polymarketTradesChainStream } from "../../src/connectors/polymarket/trades-chain.ts";
import type { PullConnector } from "../../src/definition/connector.ts";

/** The fills of Polygon, requested as fast as they come. */
export const quickChainStream: PullConnector = {
  ...polymarketTradesChainStream,
  host: { ...polymarketTradesChainStream.host, limits: { all: { tokens: 100_000, perSeconds: 1 } }, share: 1 },
  everySeconds: 0.05,
};
