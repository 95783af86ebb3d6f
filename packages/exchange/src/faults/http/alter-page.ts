import { atPath } from "../at-path.ts";
import type { FaultDoor } from "../fault-door.ts";
import { isJsonObject } from "../json-object.ts";
import type { Storm } from "../storm.ts";
import { alterRows } from "./alter-rows.ts";
import { listingOf } from "./listing.ts";

/** Changes the rows of a parsed answer, in place. An answer without rows is one row. False when nothing was changed. */
export function alterPage(body: unknown, storm: Storm, door: FaultDoor, path: string): boolean {
  const rows = atPath(body, listingOf(door, path)?.rows ?? "");
  return Array.isArray(rows) ? alterRows(rows, storm, door, path) : alterRows([body], storm, door, path);
}

/** The same for JSON-RPC: the result of each answer of a batch, by the method that was asked. */
export function alterResults(body: unknown, asked: unknown, storm: Storm): boolean {
  const answers = Array.isArray(body) ? (body as unknown[]) : [body];
  const requests = Array.isArray(asked) ? (asked as unknown[]) : [asked];
  return answers
    .map((answer, place) => {
      const request = requests[place];
      if (!isJsonObject(answer) || !isJsonObject(request) || !("result" in answer)) return false;
      const rows = Array.isArray(answer["result"]) ? (answer["result"] as unknown[]) : [answer["result"]];
      return alterRows(rows, storm, "rpc", String(request["method"]));
    })
    .some(Boolean);
}
