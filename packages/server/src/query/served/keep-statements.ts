import { LRUCache } from "lru-cache";
import type { ReadStatement } from "../../definition/served-keyed.ts";
import type { Store } from "../../store/store.ts";
import { forOthersToo } from "../question.ts";

const MOST = 1_000;

/** Caches rows of engine statements until a table they were read from changes. */
export function keepStatements(store: Pick<Store, "rows" | "stampOf">): ReadStatement {
  const kept = new LRUCache<string, { readonly stamp: string; readonly rows: Promise<readonly object[]> }>({
    max: MOST,
  });
  return <Row extends Record<string, unknown>>(
    statement: Parameters<ReadStatement>[0],
    tables: Parameters<ReadStatement>[1],
  ) => {
    const key = JSON.stringify([statement.text, statement.values.map(({ value }) => String(value))]);
    const stamp = store.stampOf(tables);
    const found = kept.get(key);
    if (found?.stamp === stamp) return found.rows as Promise<readonly Row[]>;
    const rows = forOthersToo(() => store.rows<Row>(statement));
    kept.set(key, { stamp, rows });
    // A later read of the same statement may have replaced it.
    rows.catch(() => kept.get(key)?.rows === rows && kept.delete(key));
    return rows;
  };
}
