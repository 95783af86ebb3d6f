import { z } from "zod";
import { maybeWire } from "../exact/maybe-wire.ts";
import { gammaMarketWire } from "./gamma-market-wire.ts";

/** A page of `/markets/keyset`. `next_cursor` is absent on the last page. */
export const marketPageWire = z.object({
  markets: z.array(gammaMarketWire),
  next_cursor: maybeWire(z.string()),
});
