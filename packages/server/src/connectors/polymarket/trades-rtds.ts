import { defineSocket } from "../../definition/connector.ts";
import { polymarketEarlyFills } from "../../tables/polymarket-early-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { rtdsHost } from "./hosts/rtds-host.ts";
import { activitySession } from "./rtds/activity-session.ts";

/**
 * Polymarket's fills about two seconds after their match, before their block is read. Early only: it replays nothing
 * and leaves some out, so its rows are kept apart and shown until the chain or the Data API, which are whole without it,
 * tell of their transaction.
 */
export const polymarketTradesRtdsStream = defineSocket({
  name: "polymarket-trades-rtds",
  title: "Polymarket's fills as they happen, from RTDS",
  venue: "polymarket",
  host: rtdsHost,
  path: "/",
  tables: [],
  addsTo: [polymarketEarlyFills, polymarketTokens],
  isEarly: true,
  instruments: ["activity"],
  maxInstrumentsPerSocket: 1,
  // Without it the server falls silent after some six minutes and does not close.
  heartbeat: { send: "PING", everySeconds: 5 },
  silentAfterSeconds: 15,
  isData: (frame) => frame !== "",
  session: activitySession,
});
