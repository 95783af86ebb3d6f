import type { TableDefinition } from "./table.ts";

/** Whatever works a table out from tables, as coverage sees it. */
export type Maker = {
  readonly name: string;
  readonly title: string;
  readonly from: readonly TableDefinition[];
  readonly into: TableDefinition;
  /** How often it takes a turn; it is behind when nothing was worked out for twice as long and a minute. */
  readonly everySeconds: number;
};
