import { rowsOf } from "../../../definition/rows-of.ts";
import { tradeReading } from "./trade-reading.ts";
import { tradeV1Wire } from "./trade-v1-wire.ts";

/** A page of `/trades` of the first Data API: a bare array. @polymarket/bindings 0.10 has no schema of it any more. */
export const tradesV1Wire = rowsOf(
  tradeV1Wire,
  tradeReading({ transaction: "transactionHash", token: "asset" }),
  10_000,
);
