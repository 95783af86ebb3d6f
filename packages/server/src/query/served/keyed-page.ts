import type { DatasetDefinition, OrderKey } from "../../definition/dataset.ts";
import type { KeyedSearch, ServedKeyed } from "../../definition/served-keyed.ts";
import type { Bound } from "../../definition/sql.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import type { Found } from "./find-keyed.ts";
import { bytesOfText } from "./page-buffer.ts";
import { printerOf } from "./print-made.ts";

export const orderOf = ({ order }: ServedKeyed, given: Readonly<Record<string, Bound>>): readonly OrderKey[] =>
  typeof order === "function" ? order(given) : order;

/** Rows as the page of bytes that the engine makes of them. */
export function keyedPage(
  dataset: DatasetDefinition,
  order: readonly OrderKey[],
  search: KeyedSearch,
  found: readonly Found[],
  page: PageOf,
): PageBytes {
  const print = printerOf(dataset.row, page.format === "typed" ? "typed" : "raw");
  const rows = found.slice(page.offset, page.offset + page.limit).map(({ values }) => print(values()));
  const hasMore = found.length > page.offset + page.limit;
  const last = hasMore ? (JSON.parse(rows.at(-1) as string) as Record<string, unknown>) : undefined;
  if (search.isBackward === true) rows.reverse();
  const text = page.format === "ndjson" ? rows.map((row) => `${row}\n`).join("") : `[${rows.join(",")}]`;
  const body = bytesOfText(text);
  const keys = last && order.map((key) => key.value(last));
  return { body, rowCount: rows.length, hasMore, last: keys, etag: etagOf(body, hasMore, page) };
}
