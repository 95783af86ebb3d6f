import { setTimeout as sleep } from "node:timers/promises";
import { findLeader } from "../../packages/server/src/ingest/leader/leader-record.ts";
import type { Topology } from "./topology.ts";

const OWNER = "ingest-owner";
const WAIT_MS = 20_000;
const LOOK_MS = 200;

/** Stands in faults for the process that gathers when the fault strikes. */
export const isOwnerName = (name: string): boolean => name === OWNER;

/** The name of the process that leads now. Throws where nobody does in time. */
export async function findIngestOwner({ services, records: { db } }: Topology): Promise<string> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const leader = await findLeader(db);
    const owner = services.find(({ pid }) => leader?.process.endsWith(`:${pid()}`));
    if (owner !== undefined) return owner.name;
  }
  throw new Error("nobody leads");
}
