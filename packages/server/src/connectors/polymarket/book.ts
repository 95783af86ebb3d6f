import { defineSocket } from "../../definition/connector.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { polymarketPrints } from "../../tables/polymarket-prints.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { bookSession, resyncBooks } from "./book/book-session.ts";
import { replayFrame } from "./book/read-frame.ts";
import { clobHost, marketSocketHost } from "./hosts.ts";

/** Polymarket's live books and tape, from the market websocket with REST for full books. */
export const polymarketBookStream = defineSocket({
  name: "polymarket-book",
  title: "Polymarket's live order books and tape",
  venue: "polymarket",
  host: marketSocketHost,
  path: "/ws/market",
  tables: [bookEvents, polymarketPrints],
  addsTo: [polymarketTokens],
  instruments: "active_polymarket_tokens",
  // From 501 tokens on a connection gets no initial books (reference/polymarket.md §6).
  maxInstrumentsPerSocket: 200,
  heartbeat: { send: "PING", everySeconds: 10 },
  silentAfterSeconds: 30,
  compareSeconds: 60,
  session: bookSession,
  resyncHost: clobHost,
  resync: resyncBooks,
  replay: replayFrame,
});
