import { driftRow } from "../drift-row.ts";
import type { FaultDoor } from "../fault-door.ts";
import { skewStamps } from "../skew-stamps.ts";
import type { Storm } from "../storm.ts";

/** Changes fields and stamps of a frame, in place. False when nothing was changed. */
export function alterFrame(frame: unknown, storm: Storm, door: FaultDoor, name: string): boolean {
  let isAltered = false;
  for (const running of storm.active(["drift", "skew"], door, name)) {
    const hit = storm.hit(running, door);
    const { fault } = hit;
    if (!hit.draw.chance(fault.share)) continue;
    const isChanged =
      fault.kind === "skew" ? skewStamps(frame, door, fault.offset_seconds) : driftFrame(frame, fault, hit.draw);
    if (!isChanged) continue;
    hit.landed();
    isAltered = true;
  }
  return isAltered;
}

function driftFrame(
  frame: unknown,
  fault: Parameters<typeof driftRow>[1],
  draw: { chance(p: number): boolean },
): boolean {
  const rows: unknown[] = Array.isArray(frame) ? frame : [frame];
  return rows.map((row) => draw.chance(fault.rows_share) && driftRow(row, fault)).some(Boolean);
}
