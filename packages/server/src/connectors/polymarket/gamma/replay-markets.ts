import type { ReplayedPage, TableRows } from "../../../definition/connector.ts";
import { ifAbsent } from "./if-absent.ts";
import { marketPageWire } from "./market-page-wire.ts";
import { marketRows } from "./market-rows.ts";

/** The markets of a parked page, where they are not known yet. */
export function replayMarkets({ read, receivedMs }: ReplayedPage): TableRows[] {
  return marketRows(read(marketPageWire).markets, new Date(receivedMs).toISOString()).rows.map(ifAbsent);
}
