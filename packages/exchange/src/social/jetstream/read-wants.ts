import { z } from "zod";
import type { JetstreamEvent } from "./jetstream-event.ts";

/** What a subscriber wants to hear; empty sets let everything through. */
export interface Wants {
  collections: ReadonlySet<string>;
  /** Beginnings, with their last dot. */
  prefixes: readonly string[];
  dids: ReadonlySet<string>;
  /** Larger events are left out; 0 = none is. */
  most_bytes: number;
}

const COLLECTION = /^[a-zA-Z][a-zA-Z0-9-]*(\.[a-zA-Z0-9-]+)+(\.\*)?$/;
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]+$/;

/** As in the query of the handshake and in the payload of `options_update`. */
export const wantsWire = z
  .object({
    wantedCollections: z
      .array(z.string().max(320).regex(COLLECTION, "invalid collection"))
      .max(100, "too many wanted collections: 100 at most")
      .default([]),
    wantedDids: z
      .array(z.string().max(2048).regex(DID, "invalid DID"))
      .max(10_000, "too many wanted DIDs: 10,000 at most")
      .default([]),
    maxMessageSizeBytes: z.coerce.number("invalid size").int().default(0),
  })
  .transform((wire): Wants => {
    const patterns = wire.wantedCollections.filter((each) => each.endsWith(".*"));
    return {
      collections: new Set(wire.wantedCollections.filter((each) => !each.endsWith(".*"))),
      prefixes: patterns.map((each) => each.slice(0, -1)),
      dids: new Set(wire.wantedDids),
      most_bytes: Math.max(0, wire.maxMessageSizeBytes),
    };
  });

/** Is it wanted? What is said of accounts comes whatever collections are wanted. */
export function isWanted(event: JetstreamEvent, wants: Wants): boolean {
  if (wants.most_bytes > 0 && event.bytes > wants.most_bytes) return false;
  if (wants.dids.size > 0 && !wants.dids.has(event.did)) return false;
  const { collection } = event;
  if (collection === null || wants.collections.size + wants.prefixes.length === 0) return true;
  return wants.collections.has(collection) || wants.prefixes.some((prefix) => collection.startsWith(prefix));
}
