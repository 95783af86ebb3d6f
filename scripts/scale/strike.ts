import { isOwnerName, findIngestOwner } from "./find-ingest-owner.ts";
import type { Act, Fault, Need } from "./fault.ts";
import type { Topology } from "./topology.ts";

/** Why a fault cannot be done to this topology; undefined where it can. */
export function findObstacle(topology: Topology, fault: Fault): string | undefined {
  const missing = fault.needs?.find((need) => !hasNeed(topology, need));
  return missing === undefined ? undefined : OBSTACLES[missing];
}

const OBSTACLES: Readonly<Record<Need, string>> = {
  replicas: "there is one ClickHouse server alone",
  two_ingests: "one process gathers",
  two_apis: "there is one api process alone",
  small_disk: "mounting a small disk is not allowed here, or --disk is 0",
};

function hasNeed({ options, disks }: Topology, need: Need): boolean {
  if (need === "replicas") return options.replicas > 1;
  if (need === "two_ingests") return options.ingests > 1;
  if (need === "two_apis") return options.apis > 1;
  return disks.size > 0;
}

/** Does all of a fault; what is given back ends it. */
export async function strike(topology: Topology, fault: Fault): Promise<() => Promise<void>> {
  const owner = fault.acts.some(mentionsOwner) ? await findIngestOwner(topology) : "";
  const named = (name: string): string => (isOwnerName(name) ? owner : name);
  const ends = await Promise.all(fault.acts.map((act) => perform(topology, act, named)));
  return async () => void (await Promise.all(ends.map((end) => end())));
}

const mentionsOwner = (act: Act): boolean => isOwnerName(act.kind === "weather" ? act.from : act.part);

async function perform(topology: Topology, act: Act, named: (name: string) => string): Promise<() => Promise<unknown>> {
  const { links, disks, partsOf } = topology;
  if (act.kind === "weather") {
    const [from, to] = [named(act.from), act.to];
    await links.turn(from, to, act.weather);
    return () => links.turn(from, to, {});
  }
  if (act.kind === "fill_disk") {
    const disk = disks.get(act.part);
    await disk?.fill();
    return async () => disk?.free();
  }
  const parts = partsOf(named(act.part));
  if (act.kind === "kill") {
    await Promise.all(parts.map((part) => part.kill()));
    return () => Promise.all(parts.map((part) => part.start()));
  }
  for (const part of parts) part.freeze?.();
  return async () => {
    for (const part of parts) part.thaw?.();
  };
}
