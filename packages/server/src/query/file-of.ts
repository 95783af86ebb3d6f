import type { DatasetDefinition } from "../definition/dataset.ts";
import { joined, name, sql } from "../definition/sql.ts";
import type { Reading, Store } from "../store/store.ts";
import type { FormatType } from "./answer.ts";
import { KEY } from "./compose.ts";
import { RENDERINGS } from "./format.ts";

/** Row format from which a file is made: one array per line, after a line of names and one of types. */
export const rowsForFile = (settings: Reading["settings"]): Reading => ({
  format: "JSONCompactEachRowWithNamesAndTypes",
  settings: { ...settings, output_format_json_quote_denormals: 1 },
});
export const HEAD_LINES = 2;

type Head = readonly string[];
const listOf = (line: Buffer): Head => JSON.parse(line.toString("utf8")) as Head;

/** Converts a line to a row by field, from which order keys are read; fields with a raw copy use that one. */
export function fieldsOf(names: Buffer, line: Buffer): Record<string, unknown> {
  const values = JSON.parse(line.toString("utf8")) as unknown[];
  const named = listOf(names).map(
    (one, at) => [one.startsWith(KEY) ? one.slice(KEY.length) : one, values[at]] as const,
  );
  return Object.fromEntries(named);
}

type Rows = { readonly names: Buffer; readonly types: Buffer; readonly lines: Buffer };

/** Converts the rows read to a file of the format; the rows are sent to the engine, which reads no table for it. */
export async function fileOf(
  store: Pick<Store, "read">,
  { row }: Pick<DatasetDefinition, "row">,
  { names, types, lines }: Rows,
  format: FormatType,
): Promise<Buffer> {
  const typeOf = listOf(types);
  // In CSV a list is its JSON, sent as text: other programs cannot parse the engine's own list syntax.
  const isText = (field: string): boolean => format === "csv" && row[field]?.wire === "list";
  const structure = listOf(names).map((one, at) => `\`${one}\` ${isText(one) ? "Nullable(String)" : typeOf[at]}`);
  const fields = joined(Object.keys(row).map(name), sql`, `);
  return store.read(sql`SELECT ${fields} FROM found`, {
    format: RENDERINGS[format].engine,
    settings: { date_time_input_format: "best_effort" },
    sent: { name: "found", structure: structure.join(", "), format: "JSONCompactEachRow", rows: lines },
  });
}
