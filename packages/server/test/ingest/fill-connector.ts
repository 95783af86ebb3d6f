import { z } from "zod";
import { definePull, type PullConnector } from "../../src/definition/connector.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow } from "./fill-rows.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const A_PAGE = 20;
const pageWire = z.object({ newest: z.number() });

/** A range of the fills that `numberedFills` gathers. */
export const fillsFrom = (first: number, count: number): InsertRow[] =>
  Array.from({ length: count }, (_, index) => fillRow(first + index, START + (first + index) * 7));

/** Fills numbered from 0, one every seven seconds, as many as the upstream reports. */
export const numberedFills: PullConnector = definePull({
  name: "numbered-fills",
  title: "Numbered fills",
  venue: "polymarket",
  host: { name: "venue", setting: "VENUE_URL", share: 1, limits: { all: { tokens: 1000, perSeconds: 1 } } },
  tables: [polymarketFills],
  everySeconds: 0.05,
  canBackfill: false,
  async *pull({ feed, cursor }) {
    let next = typeof cursor?.["next"] === "number" ? cursor["next"] : 0;
    for (;;) {
      const { newest } = (await feed.get({ path: "/newest", route: "all" }, pageWire)) ?? { newest: next };
      const end = Math.min(newest, next + A_PAGE);
      const rows = fillsFrom(next, end - next);
      next = end;
      const isCaughtUp = next >= newest;
      yield { rows: [{ table: polymarketFills, rows }], cursor: { next }, ...(isCaughtUp ? { isCaughtUp } : {}) };
    }
  },
});
