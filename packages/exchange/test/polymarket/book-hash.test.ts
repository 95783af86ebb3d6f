import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type BookMessage, bookHash } from "../../src/polymarket/clob/book-message.ts";
import { recordedAbsent, recordedPath } from "./recorded.ts";

test.skipIf(recordedAbsent !== false)("our computed hashes match those of the recorded books", () => {
  const lines = readFileSync(recordedPath("ws_market/fleet_ws_messages_market_only.log"), "utf8").trim().split("\n");
  const frames = lines.map((line) => JSON.parse(line.slice(line.indexOf("[market] ") + 9)) as unknown);
  const books = frames.filter((frame) => Array.isArray(frame)).flat() as BookMessage[];
  expect(books.length).toBe(4);
  // The frames omit these two fields, which REST has.
  for (const book of books)
    expect(bookHash(Object.assign(book, { min_order_size: "5", neg_risk: false }))).toBe(book.hash);
});
