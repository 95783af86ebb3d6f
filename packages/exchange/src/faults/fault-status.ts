import type { FaultDoor } from "./fault-door.ts";
import type { Fault, FaultKind } from "./fault.ts";
import type { Storm } from "./storm.ts";

/** The current plan and its counts: the response of `GET /faults`. */
export interface FaultStatus {
  /** Null without a plan. */
  plan: { seed: number; faults: Fault[] } | null;
  faults: { kind: FaultKind; active: boolean; since_seconds: number; injected: number }[];
  /** How often each kind actually changed something, by endpoint. */
  injected: Partial<Record<FaultKind, Partial<Record<FaultDoor, number>>>>;
}

/** Returns the status of the current plan. Counts of a replaced or cleared plan are lost. */
export function faultStatus(storm: Storm): FaultStatus {
  const injected: FaultStatus["injected"] = {};
  for (const { fault, injected: times } of storm.running) {
    const counts = (injected[fault.kind] ??= {});
    for (const [door, count] of times) counts[door] = (counts[door] ?? 0) + count;
  }
  const faults = storm.running.map((running) => ({
    kind: running.fault.kind,
    active: storm.isActive(running),
    since_seconds: storm.elapsed(running),
    injected: [...running.injected.values()].reduce((sum, count) => sum + count, 0),
  }));
  const plan = storm.isSet ? { seed: storm.seed, faults: storm.running.map(({ fault }) => fault) } : null;
  return { plan, faults, injected };
}
