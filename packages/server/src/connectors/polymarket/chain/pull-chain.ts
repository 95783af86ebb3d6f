import type { PullConnector } from "../../../definition/connector.ts";
import { backfillChain } from "./backfill-chain.ts";
import type { ChainStream } from "./chain-stream.ts";
import { followChain } from "./follow-chain.ts";

/** The `pull` of a connector over Polygon's logs: follows the head, or walks a backfill's range. */
export function pullChain(stream: ChainStream): PullConnector["pull"] {
  return (options) =>
    options.range === undefined ? followChain(stream, options) : backfillChain(stream, options, options.range);
}
