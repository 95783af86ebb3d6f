import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import type { Sharing } from "../ingest/leases/share-work.ts";
import type { Engines } from "./open-engines.ts";

/** How this process shares the work with others of the same PostgreSQL; embedded records have none. */
export function sharingOf(
  { databaseUrl, role, leaseSeconds }: Pick<Config, "databaseUrl" | "role" | "leaseSeconds">,
  { store, records }: Pick<Engines, "store" | "records">,
): Sharing | undefined {
  if (databaseUrl === undefined) return undefined;
  return {
    sharer: { id: randomUUID(), label: `${hostname()}:${process.pid}`, role },
    seconds: leaseSeconds,
    monotonicMs: () => performance.now(),
    db: records.db,
    recordsUnder: records.under,
    storeUnder: store.under,
    endWriters: store.endWriters,
  };
}
