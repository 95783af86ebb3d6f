import { z } from "zod";
import type { ReplayedPage } from "../../../definition/connector.ts";
import { readBookFrame } from "./book-frame.ts";

/** A frame of the book has no rows by itself; it throws for one that means any. */
export function replayBookFrame({ read }: ReplayedPage): [] {
  const frame = readBookFrame(JSON.stringify(read(z.unknown())));
  if (frame?.type !== "orderbook_delta" && frame?.type !== "orderbook_snapshot") return [];
  throw new Error("it can be read now, but a book's changes cannot be told from one frame");
}
