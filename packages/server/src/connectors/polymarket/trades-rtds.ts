import { defineSocket } from "../../definition/connector.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { rtdsHost } from "./hosts/rtds-host.ts";
import { activitySession } from "./rtds/activity-session.ts";

/**
 * Polymarket's fills about two seconds after their match, before their block is read. Early only: it replays nothing
 * and leaves some out, so its rows stand in for those of the chain or the Data API, which are whole without it.
 */
export const polymarketTradesRtdsStream = defineSocket({
  name: "polymarket-trades-rtds",
  title: "Polymarket's fills as they happen, from RTDS",
  venue: "polymarket",
  host: rtdsHost,
  path: "/",
  tables: [],
  addsTo: [polymarketFills, polymarketTokens],
  isEarly: true,
  instruments: ["activity"],
  maxInstrumentsPerSocket: 1,
  // Without it the server falls silent after some six minutes and does not close.
  heartbeat: { send: "PING", everySeconds: 5 },
  silentAfterSeconds: 15,
  isData: (frame) => frame !== "",
  session: activitySession,
});
