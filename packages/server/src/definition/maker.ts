import type { TableDefinition } from "./table.ts";

/** Any process that derives a table from tables, as coverage sees it. */
export type Maker = {
  readonly name: string;
  readonly title: string;
  readonly from: readonly TableDefinition[];
  /** Those of `from` that only refine its rows, as quotes do prices: no row is missing where they do not reach back. */
  readonly finerBy?: readonly TableDefinition[];
  readonly into: TableDefinition;
  /** How often it runs; it is late when nothing was computed for twice this time plus a minute. */
  readonly everySeconds: number;
};
