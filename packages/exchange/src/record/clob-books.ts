import { createHash } from "node:crypto";
import { join } from "node:path";
import { lazy } from "./lazy.ts";
import { readLines } from "./read-lines.ts";
import type { Recording } from "./recording.ts";
import { Shelf } from "./shelf.ts";

const FILE = "polymarket/mlb/orderbook_snapshots_160_markets.jsonl.gz";
const BOOKS_A_REQUEST = 500;

interface Level {
  price: string;
  size: string;
}

interface RecordedBook {
  asks: Level[];
  bids: Level[];
  timestamp: string;
  token_id: string;
  condition_id: string;
}

/**
 * CLOB `GET /book` and `POST /books`: 16,101 books of 160 tokens, the newest by default, the one that stood at a moment with
 * `?at=` (ISO or Unix milliseconds; nothing real has that parameter). Not in the recording and therefore worked out: `hash`
 * (sha1 of the content), `tick_size` (by the digits of the prices), `min_order_size` "5", `neg_risk` false.
 */
export function clobBooks(dir: string): Recording {
  const load = lazy(() => shelve(dir));
  return {
    name: "clob-books",
    service: "clob",
    async answer({ method, path, query, body }) {
      const single = method === "GET" && path === "/book";
      if (!single && !(method === "POST" && path === "/books" && Array.isArray(body))) return undefined;
      const at = momentOf(query.get("at"));
      const tokens = single ? [query.get("token_id") ?? ""] : tokensOf(body);
      const shelf = await load();
      if (!tokens.some((token) => shelf.has(token))) return undefined;
      const books = tokens.map((token) => bookAt(shelf.lines(token), at)).filter((book) => book !== undefined);
      if (!single) return { body: books };
      if (books[0]) return { body: books[0] };
      return { status: 404, body: { error: "No orderbook exists for the requested token id" } };
    },
  };
}

async function shelve(dir: string): Promise<Shelf> {
  const shelf = new Shelf();
  for await (const line of readLines(join(dir, FILE))) {
    const token = /"token_id":"(\d+)"/.exec(line)?.[1];
    if (token !== undefined) shelf.add(token, line);
  }
  return shelf;
}

/** Every recorded book as the wire gives it, in the order of the file: by time, but for neighbours within a second. */
export async function* readRecordedBooks(dir: string): AsyncGenerator<ReturnType<typeof toWire>> {
  for await (const line of readLines(join(dir, FILE))) yield toWire(JSON.parse(line) as RecordedBook);
}

function tokensOf(body: unknown): string[] {
  const items = (body as { token_id?: unknown }[]).slice(0, BOOKS_A_REQUEST);
  return items.map((item) => String(item?.token_id));
}

function momentOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
}

/** The newest not after `at`. The file is sorted by the text of its times, so neighbours may stand the wrong way round. */
function bookAt(lines: string[], at: number) {
  let newest: { line: string; moment: number } | undefined;
  for (const line of lines) {
    // The moment is read without the levels: a book holds hundreds.
    const moment = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? "");
    if (moment <= at && (!newest || moment >= newest.moment)) newest = { line, moment };
  }
  return newest && toWire(JSON.parse(newest.line) as RecordedBook);
}

function toWire(book: RecordedBook) {
  const levels = { bids: book.bids, asks: book.asks };
  const fine = [...book.bids, ...book.asks].some((level) => /\.\d{3}$/.test(level.price));
  const timestamp = String(Date.parse(book.timestamp));
  const hash = createHash("sha1")
    .update(JSON.stringify([book.token_id, timestamp, levels]))
    .digest("hex");
  return {
    market: book.condition_id,
    asset_id: book.token_id,
    timestamp,
    hash,
    ...levels,
    min_order_size: "5",
    tick_size: fine ? "0.001" : "0.01",
    neg_risk: false,
  };
}
