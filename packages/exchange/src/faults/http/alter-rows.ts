import { driftRow } from "../drift-row.ts";
import type { FaultDoor } from "../fault-door.ts";
import type { Storm } from "../storm.ts";
import { shuffleRows } from "./shuffle-rows.ts";

/** Puts rows in another order, doubles them and changes their fields, in place. False when nothing was changed. */
export function alterRows(rows: unknown[], storm: Storm, door: FaultDoor, path: string): boolean {
  return [shuffle(rows, storm, door, path), double(rows, storm, door, path), drift(rows, storm, door, path)].some(
    Boolean,
  );
}

function shuffle(rows: unknown[], storm: Storm, door: FaultDoor, path: string): boolean {
  const hit = rows.length < 2 ? undefined : storm.strike(["shuffle"], door, path);
  if (hit === undefined) return false;
  shuffleRows(rows, hit.draw);
  hit.landed();
  return true;
}

function double(rows: unknown[], storm: Storm, door: FaultDoor, path: string): boolean {
  const hit = rows.length === 0 ? undefined : storm.strike(["duplicate_rows"], door, path);
  if (hit === undefined) return false;
  const before = rows.length;
  const made = rows.flatMap((row) => (hit.draw.chance(hit.fault.rows_share) ? [row, structuredClone(row)] : [row]));
  rows.splice(0, before, ...made);
  if (made.length === before) return false;
  hit.landed();
  return true;
}

/** Every drift fault has its own field, so each is asked. */
function drift(rows: unknown[], storm: Storm, door: FaultDoor, path: string): boolean {
  let isChanged = false;
  for (const running of storm.active(["drift"], door, path)) {
    const hit = storm.hit(running, door);
    if (!hit.draw.chance(hit.fault.share)) continue;
    const changed = rows.filter((row) => hit.draw.chance(hit.fault.rows_share) && driftRow(row, hit.fault));
    if (changed.length === 0) continue;
    hit.landed();
    isChanged = true;
  }
  return isChanged;
}
