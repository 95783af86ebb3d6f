import type { Feed } from "../../../definition/connector.ts";
import { quantityWire } from "./quantity-wire.ts";

/** The newest block of the node that was asked. */
export async function readHead(feed: Feed): Promise<number> {
  return feed.rpc("eth_blockNumber", [], quantityWire);
}
