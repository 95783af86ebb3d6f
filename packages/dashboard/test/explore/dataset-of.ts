import type { Row } from "@almanac/client";
import type { Dataset, DatasetColumn, DatasetParam } from "../../src/explore/dataset.ts";
import { sortOf } from "../../src/explore/cells.ts";
import type { TableColumn } from "../../src/ui/table-column.ts";

export const paramOf = (name: string, more: Partial<DatasetParam> = {}): DatasetParam => ({
  name,
  type: "text",
  about: `About ${name}.`,
  expected: "well-formed text",
  is_required: false,
  is_list: false,
  choices: null,
  default: null,
  default_unless: null,
  off_values: [],
  aliases: [],
  ...more,
});

export const columnOf = (name: string, wire: string): DatasetColumn => ({
  name,
  wire,
  unit: null,
  nullable: true,
  about: `About ${name}.`,
});

/** A table column that sorts as a dataset column of this type does. */
export const sortedColumnOf = (name: string, wire: string): TableColumn<Row> => ({
  id: name,
  header: name,
  cell: () => "",
  ...sortOf(columnOf(name, wire)),
});

export const trades: Dataset = {
  agent_id: 556,
  name: "polymarket-trades",
  title: "Polymarket trades",
  summary: "Every filled order.",
  plan: "free",
  may_read: true,
  limit: { default: 100, max: 10_000 },
  order: "newest first",
  params: [
    paramOf("proxy_wallet", {
      type: "list of wallet address",
      is_list: true,
      off_values: ["ALL"],
      aliases: ["wallet"],
    }),
    paramOf("side", { type: "choice", choices: ["BUY", "SELL"], off_values: ["ALL", "BOTH"] }),
    paramOf("min_usd", { type: "number", off_values: ["-1.0"], default: "5" }),
    paramOf("market_slug", { aliases: ["slug"] }),
  ],
  row: [columnOf("id", "id"), columnOf("price", "num"), columnOf("size", "dec(6)"), columnOf("timestamp", "iso")],
  examples: [{ title: "Large", params: { min_usd: "1000" } }],
  formula: [],
  notes: [],
  related: [],
};
