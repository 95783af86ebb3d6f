import type { Feed } from "../../../definition/connector.ts";
import { eventsReply } from "./event-reply.ts";
import { walkPages } from "../wire/walk-pages.ts";

export type EventFacts = { readonly series_ticker: string; readonly category: string };

const PER_CALL = 100;
const MOST_KEPT = 200_000;

/** Asks for the series and category of the events not in `known` and puts them there; unknown ones stay absent. */
export async function learnEvents(
  ask: { readonly feed: Feed; readonly signal: AbortSignal },
  tickers: readonly string[],
  known: Map<string, EventFacts>,
): Promise<void> {
  if (known.size > MOST_KEPT) known.clear();
  const missing = [...new Set(tickers)].filter((ticker) => !known.has(ticker));
  for (let at = 0; at < missing.length; at += PER_CALL) {
    const filters = { tickers: missing.slice(at, at + PER_CALL).join(","), limit: 200 };
    for await (const { page } of walkPages({ ...ask, path: "/events", reply: eventsReply, filters })) {
      for (const event of page.events ?? []) {
        known.set(event.event_ticker, { series_ticker: event.series_ticker, category: event.category ?? "" });
      }
    }
  }
}
