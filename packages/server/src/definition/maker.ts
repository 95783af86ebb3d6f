import type { TableDefinition } from "./table.ts";

/** Whatever works a table out from tables, as coverage sees it. */
export type Maker = {
  readonly name: string;
  readonly title: string;
  readonly from: readonly TableDefinition[];
  /** Those of `from` that only make its rows finer, as quotes do prices: no row is missing where they do not reach back. */
  readonly finerBy?: readonly TableDefinition[];
  readonly into: TableDefinition;
  /** How often it takes a turn; it is behind when nothing was worked out for twice as long and a minute. */
  readonly everySeconds: number;
};
