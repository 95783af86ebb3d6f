import type { FastifyRequest } from "fastify";
import type { FaultDoor } from "../fault-door.ts";
import { isJsonObject } from "../json-object.ts";
import type { Storm } from "../storm.ts";
import { listingOf } from "./listing.ts";

/** Lowers the `limit` of a request for a listing with a cursor to the `page_rows` of a page fault in force. */
export function shortenPages({ query }: FastifyRequest, storm: Storm, door: FaultDoor, path: string): void {
  const running = storm
    .active(["repeat_page", "skip_page"], door, path)
    .find(({ fault }) => fault.page_rows !== undefined);
  const most = running?.fault.page_rows;
  if (most === undefined || listingOf(door, path)?.cursor === undefined || !isJsonObject(query)) return;
  const asked = Number(query["limit"] ?? Infinity);
  if (asked > most) query["limit"] = String(most);
}
