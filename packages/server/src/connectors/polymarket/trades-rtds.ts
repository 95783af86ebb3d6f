import { defineSocket } from "../../definition/connector.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { rtdsHost } from "./hosts.ts";
import { activitySession } from "./rtds/activity-session.ts";

/**
 * Word of Polymarket's fills about two seconds after their match, before their block is read. It replays nothing and
 * leaves some out: it wakes the readers of the chain and of the Data API, which are whole without it.
 */
export const polymarketTradesRtdsStream = defineSocket({
  name: "polymarket-trades-rtds",
  title: "Word of Polymarket's fills as they happen, from RTDS",
  venue: "polymarket",
  host: rtdsHost,
  path: "/",
  tables: [],
  addsTo: [polymarketTokens],
  isEarly: true,
  instruments: ["activity"],
  maxInstrumentsPerSocket: 1,
  // Without it the server falls silent after some six minutes and does not close.
  heartbeat: { send: "PING", everySeconds: 5 },
  silentAfterSeconds: 15,
  isData: (frame) => frame !== "",
  session: activitySession,
});
