import { z } from "zod";
import type { Feed } from "../../../definition/connector.ts";
import type { Resynced } from "../../../definition/session.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { rowsOf, textIn } from "../../../definition/rows-of.ts";

const BOOKS_A_CALL = 100;

/** Loose on purpose: the session parses each book with its own schema and needs all of its fields. */
const booksWire = rowsOf(z.looseObject({ asset_id: z.string() }), { instrument: textIn("asset_id") }, BOOKS_A_CALL);

/**
 * Full books over REST, by POST (the GET form answers 400, reference/polymarket.md §2). A token whose market is closed
 * has no book and is omitted.
 */
export async function* resyncBooks(feed: Feed, instruments: readonly string[]): AsyncGenerator<Resynced, void, void> {
  let refused = 0;
  for (let index = 0; index < instruments.length; index += BOOKS_A_CALL) {
    const body = instruments.slice(index, index + BOOKS_A_CALL).map((token_id) => ({ token_id }));
    const books = await feed.post({ path: "/books", body, route: "books", absentOn: [404] }, booksWire);
    for (const book of books ?? []) yield { instrument: book.asset_id, state: book };
    refused += refusedOf(books).length;
  }
  // Returned tokens count as fetched; the others are requested again.
  if (refused > 0) throw new Error(`${refused} books could not be read`);
}
