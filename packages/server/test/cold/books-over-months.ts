import type { InsertRow } from "../../src/definition/table.ts";

export const TOKEN = "1".padEnd(70, "7");
export const TICKER = "KXCOLD-1";
export const DAY_MS = 86_400_000;
const EVENTS_A_DAY = 4;

/** One book per venue: a state every third day and changes in between, over this many days until `now`. */
export function booksOverMonths(now: number, days: number): InsertRow[] {
  return [TOKEN, TICKER].flatMap((instrument, which) =>
    Array.from({ length: days * EVENTS_A_DAY }, (_, turn): InsertRow => {
      const isState = turn % (3 * EVENTS_A_DAY) === 0;
      const level = (price: string) => [[price, String(1 + ((turn * 7 + which) % 90))]];
      return {
        instrument,
        ts: new Date(now - days * DAY_MS + (turn * DAY_MS) / EVENTS_A_DAY).toISOString(),
        seq: 0,
        kind: isState ? "snapshot" : "change",
        venue: which === 0 ? "polymarket" : "kalshi",
        bids: level(turn % 2 ? "0.3" : "0.35"),
        asks: level(turn % 3 ? "0.6" : "0.65"),
        best_bid: "0.3",
        best_ask: "0.6",
        hash: `h${turn}`,
      };
    }),
  );
}
