import { describe, expect, it } from "vitest";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import { bookSession, resyncBooks } from "../../../src/connectors/polymarket/book/book-session.ts";
import { bookEvents } from "../../../src/tables/book-events.ts";
import { memoryFeed } from "./memory-feed.ts";
import { absent, recordedLines } from "./recorded.ts";

type Level = { readonly price: string; readonly size: string };
type Book = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly timestamp: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
};

const toWire = ({ token_id, condition_id, timestamp, bids, asks }: Book) => ({
  market: condition_id,
  asset_id: token_id,
  timestamp: String(Date.parse(timestamp)),
  hash: "",
  bids,
  asks,
});

type Pairs = readonly (readonly [price: string, size: string])[];

const pair = ({ price, size }: Level) => [price, size] as const;
const textOf = (token: string, ms: number, bids: Pairs, asks: Pairs): string =>
  `${token} ${ms} ${sideText(bids)} / ${sideText(asks)}`;

/** A side as text, by price, independent of its order and number format; levels without size are omitted. */
const sideText = (levels: Pairs): string =>
  levels
    .map(([price, size]): [number, number] => [Number(price), Number(size)])
    .filter(([, size]) => size > 0)
    .sort(([a], [b]) => a - b)
    .map((level) => level.join("@"))
    .join(" ");

describe.skipIf(absent)(`books over REST, recorded${absent === undefined ? "" : `: ${absent}`}`, () => {
  const nth = thoroughly(1, 4);
  it(`are all stored: 16,101 of 160 tokens, one token in ${nth}, each book once with its timestamp`, async () => {
    const recordings = recordedLines("mlb/orderbook_snapshots_160_markets.jsonl.gz").map(
      (line) => JSON.parse(line) as Book,
    );
    // The file is sorted by its times as text, so neighbours may be out of order.
    const inOrder = recordings.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    const all = [...Map.groupBy(inOrder, ({ token_id }) => token_id)];
    expect([recordings.length, all.length]).toEqual([16_101, 160]);
    const byToken = new Map(all.filter((_each, index) => index % nth === 0));
    const session = bookSession();
    session.subscribe([...byToken.keys()]);
    const rounds = Math.max(...Array.from(byToken.values(), ({ length }) => length));
    const [recorded, taken]: [string[], string[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const books = [...byToken.values()].flatMap((own) => own[round] ?? []);
      const now = new Map(books.map((book) => [book.token_id, book]));
      for (const book of books)
        recorded.push(textOf(book.token_id, Date.parse(book.timestamp), book.bids.map(pair), book.asks.map(pair)));
      const feed = memoryFeed({
        post: ({ body }) => (body as { token_id: string }[]).map(({ token_id }) => toWire(now.get(token_id)!)),
      });
      for await (const given of resyncBooks(feed, [...now.keys()])) {
        const { rows, broken } = session.adopt(given, 0);
        if (broken) throw new Error(`the book of ${given.instrument} is not trusted`);
        for (const row of rows.filter(({ table }) => table === bookEvents).flatMap((part) => part.rows)) {
          const [bids, asks] = [row["bids"] as Pairs, row["asks"] as Pairs];
          taken.push(textOf(String(row["instrument"]), Date.parse(String(row["ts"])), bids, asks));
        }
      }
    }
    expect(taken).toHaveLength(Array.from(byToken.values()).flat().length);
    expect(taken.toSorted()).toEqual(recorded.toSorted());
  });
});
