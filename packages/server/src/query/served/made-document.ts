import type { Column } from "../../definition/column.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { MadeRow, ServedKeyed } from "../../definition/served-keyed.ts";
import { fromDefinition } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { FormatType } from "../answer.ts";
import { RENDERINGS } from "../format.ts";
import { printerOf } from "./print-made.ts";

type Values = ReturnType<MadeRow["values"]>;

const TYPES: Readonly<Record<string, string>> = {
  id: "String",
  text: "String",
  iso: "DateTime64(6, 'UTC')",
  flag: "Bool",
  int: "UInt64",
  num: "Float64",
  list: "Array(String)",
};
const SETTINGS = { date_time_input_format: "best_effort" };

/** Renders rows computed here as a file: their values are sent to the engine, which writes the format. */
export async function madeDocument(
  store: Pick<Store, "read">,
  { row, name }: Pick<DatasetDefinition, "row" | "name">,
  { types = {} }: Pick<ServedKeyed, "types">,
  rows: readonly Values[],
  format: FormatType,
): Promise<Buffer> {
  const { engine, columns } = RENDERINGS[format];
  const typeOf = columns === "columnar" ? columnType : cellType;
  const structure = Object.entries(row).map(([field, column]) => {
    const type = typeOf(column, types[field]);
    if (type === undefined) throw new TypeError(`${name} says no type of ${field}`);
    return `\`${field}\` ${type}`;
  });
  const print = printerOf(row, columns === "columnar" ? "typed" : "raw");
  const lines = Buffer.from(rows.map((values) => `${print(values)}\n`).join(""));
  const sent = { name: "made", structure: structure.join(", "), rows: lines };
  return store.read(fromDefinition("SELECT * FROM made"), { format: engine, settings: SETTINGS, sent });
}

/** The type that the column has in the dataset's statement. */
function columnType({ wire, nullable }: Column, declared: string | undefined): string | undefined {
  if (declared !== undefined) return declared;
  if (wire.startsWith("dec(")) return "Nullable(Decimal(38, 12))";
  const type = TYPES[wire];
  return nullable && type !== undefined ? `Nullable(${type})` : type;
}

/** Type of a cell sent as text, as on the raw page; numbers and flags are not quoted, and a list is its JSON. */
function cellType(column: Column, declared: string | undefined): string | undefined {
  const isBare = ["int", "num", "flag"].includes(column.wire);
  return isBare ? columnType(column, declared) : "Nullable(String)";
}
