import { z } from "zod";
import { tradeV1Wire } from "./trade-v1-wire.ts";

/** A page of `/trades` of the first Data API: a bare array. @polymarket/bindings 0.10 has no schema of it any more. */
export const tradesV1Wire = z.array(tradeV1Wire).max(10_000);
