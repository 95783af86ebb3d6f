import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { KeyedSearch, ReadKey, ServedKeyed } from "../../definition/served-keyed.ts";
import type { Bound } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { FormatType } from "../answer.ts";
import { RENDERINGS } from "../format.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import type { Found } from "./find-keyed.ts";
import { madeDocument } from "./made-document.ts";
import { bytesOfText } from "./page-buffer.ts";
import { printerOf } from "./print-made.ts";

/** A page of a dataset that is computed from rows by key. */
export type KeyedPageRequested = {
  readonly dataset: DatasetDefinition;
  readonly served: ServedKeyed;
  readonly given: Readonly<Record<string, Bound>>;
  readonly search: KeyedSearch;
  readonly page: PageOf;
};

/** Renders rows as the bytes the engine would produce for the page. */
export async function keyedPage(
  store: Pick<Store, "read">,
  { dataset, served, given, search, page }: KeyedPageRequested,
  found: readonly Found[],
): Promise<PageBytes> {
  const rows = found.slice(page.offset, page.offset + page.limit).map(({ values }) => values());
  const hasMore = found.length > page.offset + page.limit;
  const last = hasMore ? keysOf(dataset, orderOf(served, given), rows.at(-1) ?? {}) : undefined;
  if (search.isBackward === true) rows.reverse();
  const body = isText(page.format)
    ? textOf(dataset, rows, page)
    : await madeDocument(store, dataset, served, rows, page.format);
  return { body, rowCount: rows.length, hasMore, last, etag: etagOf(body, hasMore, page) };
}

/** Whether rows are rendered here; otherwise the engine writes the document. */
export const isText = (format: FormatType): boolean => !RENDERINGS[format].isDocument || format === "ndjson";

type Values = ReturnType<Found["values"]>;

const orderOf = ({ order }: ServedKeyed, given: Readonly<Record<string, Bound>>): readonly ReadKey[] =>
  typeof order === "function" ? order(given) : order;

/** Reads the order keys back from the rendered row, with all decimals. */
function keysOf({ row }: DatasetDefinition, order: readonly ReadKey[], values: Values): (string | number)[] {
  const answered = JSON.parse(printerOf(row, "raw")(values)) as Record<string, unknown>;
  return order.map((key) => key.value(answered));
}

function textOf({ row }: DatasetDefinition, rows: readonly Values[], { format }: PageOf): Buffer {
  const lines = rows.map(printerOf(row, format === "typed" ? "typed" : "raw"));
  return bytesOfText(format === "ndjson" ? lines.map((line) => `${line}\n`).join("") : `[${lines.join(",")}]`);
}
