import type { Batch } from "../../../definition/connector.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import type { ChainLog } from "./logs.ts";

/** The rows of a run of blocks, with notices of skipped data. */
export type ChainRows = Pick<Batch, "rows" | "notices">;

/** The Polygon logs a stream reads and the rows made of them. `pullChain` turns it into a stream's `pull`. */
export type ChainStream = {
  /** Its tables: for a range of blocks they contain exactly the rows `toRows` makes of its logs. */
  readonly tables: readonly TableDefinition[];
  /** The lowest block of any backfill: that of the oldest contract. */
  readonly firstBlock: number;
  /** The `eth_getLogs` filter apart from blocks. */
  readonly logs: { readonly address: readonly string[]; readonly topics: readonly (readonly string[])[] };
  /** The rows of a run of complete blocks. `secondsOf` gives the time of any block with a log in the run. */
  readonly toRows: (logs: readonly ChainLog[], secondsOf: (block: number) => number) => ChainRows;
};

/** The `eth_getLogs` filter of a range of blocks, both ends included. */
export const logsBetween = ({ logs }: ChainStream, from: number, to: number): Record<string, unknown> => ({
  fromBlock: `0x${from.toString(16)}`,
  toBlock: `0x${to.toString(16)}`,
  ...logs,
});
