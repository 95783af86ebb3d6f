import { z } from "zod";
import { hexWire } from "../exact/hex-wire.ts";
import { quantityWire } from "./quantity-wire.ts";

/** What we read of a block. `timestamp` is in whole seconds. Nodes answer null for a block they do not have. */
export const blockWire = z.object({
  number: quantityWire,
  hash: hexWire(32),
  parentHash: hexWire(32),
  timestamp: quantityWire,
});

export type ChainBlock = z.output<typeof blockWire>;
