import { defineSocket } from "../../definition/connector.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { BookSession } from "./book/book-session.ts";
import { kalshiHost, kalshiSocketHost, signHandshake } from "./hosts.ts";
import { replayBookFrame } from "./book/book-frame.ts";
import { readAllBooks } from "./book/read-books.ts";

const PATH = "/trade-api/ws/v2";

/**
 * Live order books over Kalshi's websocket, which always requires a signed handshake. The host's setting contains the
 * full URL. Trades come from REST (see kalshi-trades).
 */
export const kalshiBookStream = defineSocket({
  name: "kalshi-book",
  title: "Kalshi order books",
  venue: "kalshi",
  host: kalshiSocketHost,
  path: "",
  headers: (settings, nowMs) => {
    const key = { id: settings["KALSHI_KEY_ID"] ?? "", pem: settings["KALSHI_PRIVATE_KEY"] ?? "" };
    const url = settings[kalshiSocketHost.setting];
    return signHandshake(key, url === undefined ? PATH : new URL(url).pathname, nowMs);
  },
  tables: [bookEvents],
  needs: {
    settings: ["KALSHI_KEY_ID", "KALSHI_PRIVATE_KEY"],
    adds: "live changes of Kalshi's order books instead of polled states",
  },
  instruments: "active_kalshi_tickers",
  // The number of markets per subscription is not documented (error 26 reports too many).
  maxInstrumentsPerSocket: 500,
  // Heartbeats are answered even when no market moves, as in the weekly pause.
  heartbeat: { send: JSON.stringify({ id: 0, cmd: "list_subscriptions" }), everySeconds: 20 },
  silentAfterSeconds: 60,
  session: () => new BookSession(),
  resyncHost: kalshiHost,
  replay: replayBookFrame,
  async *resync(feed, instruments) {
    for await (const { ticker, ladder } of readAllBooks(feed, instruments)) {
      if (ladder !== undefined) yield { instrument: ticker, state: ladder };
    }
  },
});
