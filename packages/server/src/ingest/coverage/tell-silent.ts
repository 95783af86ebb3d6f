import type { Connector } from "../../definition/connector.ts";
import type { Feeding } from "./feeding.ts";
import { tellOff } from "./tell-off.ts";

/** A venue, or a table, of whose streams none is on gets nothing, whatever the others bring. */
export function tellSilent(
  { connectors, byTable }: Feeding,
  on: readonly Connector[],
  stateOf: (connector: Connector) => string | undefined,
): string[] {
  const running = new Set(on);
  const venues = new Set(on.map(({ venue }) => venue));
  const isServed = (each: Connector): boolean =>
    running.has(each) || on.some(({ name }) => each.kind === "pull" && each.replacedBy === name);
  const unserved = byTable.filter((streams) => !streams.some(isServed)).flat();
  const silent = [
    ...connectors.filter(({ venue }) => !venues.has(venue)),
    ...unserved.filter((each) => stateOf(each) === "off"),
  ];
  return [...new Set(silent)].map(tellOff);
}
