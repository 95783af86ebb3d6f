import { z } from "zod";
import { hexWire } from "../exact/hex-wire.ts";
import { quantityWire } from "./quantity-wire.ts";

const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, "0x-hex");

/** A log as `eth_getLogs` gives it. Newer nodes add the block's time, which saves a call for it. */
export const logWire = z.object({
  address: hexWire(20),
  topics: z.array(hexWire(32)).min(1).max(4),
  data: hex,
  blockNumber: quantityWire,
  blockHash: hexWire(32),
  transactionHash: hexWire(32),
  logIndex: quantityWire,
  blockTimestamp: quantityWire.nullish(),
  removed: z.boolean().nullish(),
});

export type ChainLog = z.output<typeof logWire>;
