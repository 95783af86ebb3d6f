import type { Topology } from "./topology.ts";

const OWNER = "ingest-owner";

/** Stands in faults for the process that gathers when the fault strikes. */
export const isOwnerName = (name: string): boolean => name === OWNER;

/** The process that owns the stream of fills now. */
export async function findIngestOwner({ services }: Topology): Promise<string> {
  const ingest = services.find(({ name }) => name.startsWith("ingest-"));
  if (ingest === undefined) throw new Error("no process gathers");
  return ingest.name;
}
