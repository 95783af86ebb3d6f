import { z } from "zod";
import { listOf } from "../../../definition/upstream-bounds.ts";
import { decimalWire, maybeWire } from "../exact/wires.ts";
import { isoIn, rowsOf, textIn } from "../../../definition/rows-of.ts";

/** Bound of each list inside an event. */
const MOST = 5000;
const text = maybeWire(z.string());
const flag = maybeWire(z.boolean());

/** An event as Gamma returns it: the fields we keep, and only the number of its markets. New fields are ignored. */
export const gammaEventWire = z.object({
  id: z.string().regex(/^\d+$/),
  slug: z.string(),
  title: text,
  seriesSlug: text,
  series: maybeWire(listOf(z.object({ slug: text }), MOST)),
  startDate: text,
  endDate: text,
  creationDate: text,
  createdAt: text,
  closed: flag,
  active: flag,
  archived: flag,
  volume: maybeWire(decimalWire),
  markets: maybeWire(listOf(z.object({ id: z.string() }), MOST)),
  negRisk: flag,
  negRiskMarketID: text,
  tags: maybeWire(listOf(z.object({ label: text }), MOST)),
});

export type GammaEvent = z.output<typeof gammaEventWire>;

/** A page of `/events/keyset`. `next_cursor` is absent on the last page. */
export const eventPageWire = z.object({
  events: rowsOf(gammaEventWire, { at: isoIn("updatedAt"), key: { event_id: textIn("id") } }),
  next_cursor: maybeWire(z.string()),
});
