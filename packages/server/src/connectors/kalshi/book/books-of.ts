import { refusedOf } from "../../../definition/read-page.ts";
import type { BooksReply } from "./book-reply.ts";
import type { Ladder } from "./ladder.ts";
import { toLadder } from "./to-ladder.ts";

/** Undefined for a market that has no book. */
export type ReadBook = { readonly ticker: string; readonly ladder: Ladder | undefined };

/** The books of an answer; one that is whole says of all others that were asked for that they have none. */
export function booksOf(reply: BooksReply, asked: readonly string[]): ReadBook[] {
  const books = (reply.orderbooks ?? []).map((book) => ({ ticker: book.ticker, ladder: toLadder(book) }));
  if (refusedOf(reply).length > 0) return books;
  const given = new Set(books.map(({ ticker }) => ticker));
  const absent = asked.filter((ticker) => !given.has(ticker));
  return [...books, ...absent.map((ticker) => ({ ticker, ladder: undefined }))];
}
