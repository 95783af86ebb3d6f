import type { DatasetDefinition } from "../definition/dataset.ts";
import type { EarlyView } from "../definition/early-view.ts";
import { bind } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { openCache } from "./query-cache.ts";

const CACHE_BYTES = 1_000_000;
const VIEW_BYTES = 200;
/** Another process may store the rows: without a word of it a view is used for so long. */
const CACHE_MS = 200;

type Found = { readonly view?: EarlyView };

/** What a page that is asked for now sees of rows told early; undefined where its dataset has none, or none to show. */
export function openEarlyViews(
  store: Pick<Store, "rows" | "stampOf">,
  now: () => number,
): (dataset: DatasetDefinition) => Promise<EarlyView | undefined> {
  const cache = openCache<Found>(() => VIEW_BYTES, CACHE_BYTES, CACHE_MS);
  return async ({ name, tables, early }) => {
    if (early === undefined) return undefined;
    const found = await cache.joined(name, store.stampOf([...tables, early.table]), async () => {
      const shownAfter = String(Math.floor(now() - early.shownSeconds * 1000) * 1000);
      const [row] = await store.rows<{ since: string | null; stored_by: string }>(
        early.view(bind("Int64", shownAfter)),
      );
      return row?.since ? { view: { shownAfter, since: row.since, storedBy: row.stored_by } } : {};
    });
    return found.view;
  };
}
