import type { FastifyRequest } from "fastify";
import type { FaultDoor } from "../fault-door.ts";
import { isJsonObject } from "../json-object.ts";
import type { Storm } from "../storm.ts";
import { listingOf } from "./listing.ts";

/** Lowers the rows a page of a request for a listing with a cursor or with numbered pages to the `page_rows` of a page fault in force. */
export function shortenPages({ query }: FastifyRequest, storm: Storm, door: FaultDoor, path: string): void {
  const running = storm
    .active(["repeat_page", "skip_page"], door, path)
    .find(({ fault }) => fault.page_rows !== undefined);
  const most = running?.fault.page_rows;
  const listing = listingOf(door, path);
  const isTurned = listing?.cursor !== undefined || listing?.page !== undefined;
  if (most === undefined || !isTurned || !isJsonObject(query)) return;
  const { parameter, least } = listing.limit ?? { parameter: "limit", least: 1 };
  const asked = Number(query[parameter] ?? Infinity);
  if (asked > most) query[parameter] = String(Math.max(least, most));
}
