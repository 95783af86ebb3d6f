import type { DoorName } from "../serve-options.ts";
import { readNumber } from "./read-number.ts";

/** Doors in the order in which --port-base counts them. */
const DOORS: readonly DoorName[] = [
  "gamma",
  "clob",
  "data",
  "ws",
  "rpc",
  "kalshi",
  "control",
  "rtds",
  "hackernews",
  "gdelt",
  "x",
  "jetstream",
];

/** Ports by door: --NAME-port where given, else --port-base plus the door's place, else any free one. */
export function readPorts(args: Record<string, unknown>): Partial<Record<DoorName, number>> {
  const base = args["port-base"];
  const first = typeof base === "string" ? readNumber("port-base", base, { min: 1, max: 65_535 - DOORS.length }) : 0;
  return Object.fromEntries(
    DOORS.map((door, index) => {
      const own = args[`${door}-port`];
      if (typeof own === "string") return [door, readNumber(`${door}-port`, own, { min: 0, max: 65_535 })];
      return [door, first === 0 ? 0 : first + index];
    }),
  );
}
