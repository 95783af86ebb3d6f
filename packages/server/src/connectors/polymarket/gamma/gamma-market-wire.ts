import { z } from "zod";
import { conditionWire } from "../exact/condition-wire.ts";
import { decimalWire } from "../exact/decimal-wire.ts";
import { maybeWire } from "../exact/maybe-wire.ts";
import { tokenWire } from "../exact/token-wire.ts";
import { jsonListWire } from "./json-list-wire.ts";

const text = maybeWire(z.string());
const flag = maybeWire(z.boolean());
const decimal = maybeWire(decimalWire);

const tagWire = z.object({ label: maybeWire(z.string()), slug: maybeWire(z.string()) });

/**
 * A market as Gamma gives it: the fields we keep. Our own schema, not the one of @polymarket/bindings (which parses the
 * recorded markets too): that one drops when a market was made and changed, leaves out markets of other than two
 * outcomes without a word, and refuses a whole page over any of a hundred fields that are nothing to us.
 * New fields pass; a field of another type is refused.
 */
export const gammaMarketWire = z.object({
  id: z.string().regex(/^\d+$/),
  question: z.string(),
  slug: z.string(),
  conditionId: maybeWire(conditionWire),
  questionID: text,
  version: text,
  marketType: text,
  events: maybeWire(z.array(z.object({ slug: maybeWire(z.string()), negRiskMarketID: text }))),
  tags: maybeWire(z.array(tagWire)),
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
