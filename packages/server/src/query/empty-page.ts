import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Store } from "../store/store.ts";
import { type KeptPage, etagOf, type PageOf } from "./read-page.ts";
import { madeDocument } from "./served/made-document.ts";

/** The page of a query that no row can match; the store is not queried. */
export async function emptyPage(
  store: Pick<Store, "read">,
  dataset: DatasetDefinition,
  page: Pick<PageOf, "format" | "limit" | "offset">,
  nowMs: number,
): Promise<KeptPage> {
  const body = await emptyBody(store, dataset, page.format);
  return {
    body,
    rowCount: 0,
    hasMore: false,
    last: undefined,
    etag: etagOf(body, false, page),
    snapshot: String(Math.floor(nowMs) * 1000),
    began: Math.floor(nowMs),
    // A matching row may be stored a moment later, and recomputing this page costs nothing.
    isCurrent: () => false,
    isSettled: false,
  };
}

async function emptyBody(
  store: Pick<Store, "read">,
  dataset: DatasetDefinition,
  format: PageOf["format"],
): Promise<Buffer> {
  if (format === "raw" || format === "typed") return Buffer.from("[]");
  if (format === "ndjson") return Buffer.alloc(0);
  const types = Object.fromEntries(
    Object.entries(dataset.row).flatMap(([field, { wire }]) => (wire === "json string" ? [[field, "String"]] : [])),
  );
  return madeDocument(store, dataset, { types }, [], format);
}
