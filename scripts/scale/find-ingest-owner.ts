import { setTimeout as sleep } from "node:timers/promises";
import type { Topology } from "./topology.ts";

const OWNER = "ingest-owner";
/** Owned by the process that gathers fills. */
const STREAM = "polymarket-trades-chain";
const WAIT_MS = 20_000;
const LOOK_MS = 200;

/** Stands in faults for the process that gathers when the fault strikes. */
export const isOwnerName = (name: string): boolean => name === OWNER;

/** The name of the process that has the lease of the stream of fills now. Throws where nobody takes it in time. */
export async function findIngestOwner({ services, records: { db } }: Topology): Promise<string> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const held = await db
      .selectFrom("leases")
      .innerJoin("processes", "processes.id", "leases.owner")
      .select("processes.label")
      .where("leases.name", "=", STREAM)
      .executeTakeFirst();
    const owner = services.find(({ pid }) => held?.label.endsWith(`:${pid()}`));
    if (owner !== undefined) return owner.name;
  }
  throw new Error(`nobody has the lease of ${STREAM}`);
}
