import { z } from "zod";
import { listOf, jsonIn } from "../../../definition/upstream-bounds.ts";
import { conditionWire, decimalWire, maybeWire, tokenWire } from "../exact/wires.ts";
import { isoIn, rowsOf, textIn } from "../../../definition/rows-of.ts";

/** Bound of each list inside a market. */
const MOST = 1000;
const text = maybeWire(z.string());
const flag = maybeWire(z.boolean());
const decimal = maybeWire(decimalWire);

const tagWire = z.object({ label: maybeWire(z.string()), slug: maybeWire(z.string()) });

/**
 * A market as Gamma returns it: the fields we keep. Our own schema, not the one of @polymarket/bindings (which parses
 * the recorded markets too): that one drops a market's creation and update times, silently omits markets without
 * exactly two outcomes, and refuses an entire page over any of a hundred fields we do not use. New fields are ignored;
 * a field of another type is refused.
 */
export const gammaMarketWire = z.object({
  id: z.string().regex(/^\d+$/),
  question: z.string(),
  slug: z.string(),
  conditionId: maybeWire(conditionWire),
  questionID: text,
  version: text,
  marketType: text,
  events: maybeWire(listOf(z.object({ slug: maybeWire(z.string()), negRiskMarketID: text }), MOST)),
  tags: maybeWire(listOf(tagWire, MOST)),
  category: text,
  startDate: text,
  endDate: text,
  eventStartTime: text,
  gameStartTime: text,
  createdAt: text,
  updatedAt: text,
  closed: flag,
  closedTime: text,
  active: flag,
  acceptingOrders: flag,
  automaticallyResolved: flag,
  umaResolutionStatus: text,
  resolutionSource: text,
  outcomes: maybeWire(jsonListWire(z.string())),
  outcomePrices: maybeWire(jsonListWire(decimalWire)),
  clobTokenIds: maybeWire(jsonListWire(tokenWire)),
  volume: decimal,
  volume24hr: decimal,
  liquidity: decimal,
  negRisk: flag,
  negRiskMarketID: text,
  orderPriceMinTickSize: decimal,
  orderMinSize: decimal,
  feesEnabled: flag,
  feeSchedule: maybeWire(z.object({ rate: decimalWire })),
});

export type GammaMarket = z.output<typeof gammaMarketWire>;

/** A page of `/markets/keyset`. `next_cursor` is absent on the last page. */
export const marketPageWire = z.object({
  markets: rowsOf(gammaMarketWire, {
    at: isoIn("updatedAt"),
    key: { gamma_id: textIn("id") },
    instrument: textIn("conditionId"),
  }),
  next_cursor: maybeWire(z.string()),
});

/** Gamma writes lists as JSON inside a string (`"[\"Yes\", \"No\"]"`); "" is an empty one. Output: the items. */
function jsonListWire<T extends z.ZodType>(item: T) {
  const json = z.string().transform((list) => (list === "" ? "[]" : list));
  return json.pipe(jsonIn("Expected JSON inside the string")).pipe(listOf(item, MOST));
}
