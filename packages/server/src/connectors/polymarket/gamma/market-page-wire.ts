import { z } from "zod";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { maybeWire } from "../exact/maybe-wire.ts";
import { gammaMarketWire } from "./gamma-market-wire.ts";

/** A page of `/markets/keyset`. `next_cursor` is absent on the last page. */
export const marketPageWire = z.object({
  markets: rowsOf(gammaMarketWire, {
    at: (raw) => rawMoment(raw["updatedAt"]),
    key: (raw) => keyOf("gamma_id", raw["id"]),
    instrument: (raw) => rawText(raw["conditionId"]),
  }),
  next_cursor: maybeWire(z.string()),
});
