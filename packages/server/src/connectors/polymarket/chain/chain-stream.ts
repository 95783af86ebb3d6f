import type { Batch } from "../../../definition/connector.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import type { ChainLog } from "./logs.ts";

/** What a run of blocks tells of, and what of it was left out. */
export type ChainRows = Pick<Batch, "rows" | "notices">;

/** Which logs of Polygon a stream reads and what rows they make. `pullChain` makes a stream's `pull` of it. */
export type ChainStream = {
  /** The tables its rows go to: of a range of blocks they hold what `toRows` makes of its logs, and nothing else. */
  readonly tables: readonly TableDefinition[];
  /** The block below which no backfill looks: that of the oldest contract. */
  readonly firstBlock: number;
  /** What `eth_getLogs` is asked for besides blocks. */
  readonly logs: { readonly address: readonly string[]; readonly topics: readonly (readonly string[])[] };
  /** The rows of a run of whole blocks. `secondsOf` gives the time of any block that has a log in it. */
  readonly toRows: (logs: readonly ChainLog[], secondsOf: (block: number) => number) => ChainRows;
};

/** The `eth_getLogs` filter of a range of blocks, both ends included. */
export const logsBetween = ({ logs }: ChainStream, from: number, to: number): Record<string, unknown> => ({
  fromBlock: `0x${from.toString(16)}`,
  toBlock: `0x${to.toString(16)}`,
  ...logs,
});
