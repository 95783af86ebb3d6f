import { afterEach, expect, it } from "vitest";
import { kalshiBookStream } from "../../../src/connectors/kalshi/book.ts";
import { httpFeed } from "./http-feed.ts";
import { scriptedVenue } from "./scripted-venue.ts";

let venue: Awaited<ReturnType<typeof scriptedVenue>>;
afterEach(() => venue.close());

it("fetches the books of all other markets if the venue refuses every call with a delisted one", async () => {
  venue = await scriptedVenue((_path, query) => {
    const tickers = query.getAll("tickers");
    if (tickers.includes("M-130")) return { status: 400, body: { error: { code: "invalid_parameters" } } };
    const orderbook_fp = { yes_dollars: [["0.1000", "5.00"]], no_dollars: [] };
    return { body: { orderbooks: tickers.map((ticker) => ({ ticker, orderbook_fp })) } };
  });
  const markets = Array.from({ length: 250 }, (_, at) => `M-${at}`);
  const fetched: string[] = [];
  for await (const { instrument } of kalshiBookStream.resync?.(httpFeed(venue.url), markets) ?? [])
    fetched.push(instrument);
  expect(fetched).toEqual(markets.filter((ticker) => ticker !== "M-130"));
  expect(venue.requested.length).toBeLessThan(20);
});
