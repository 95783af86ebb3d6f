import type { Feed } from "../../../definition/connector.ts";
import { quantityWire } from "./quantity-wire.ts";

/** Blocks left alone behind the head: nodes behind one address differ by that much. */
const CONFIRMATIONS = 3;

/** The last block that is read. */
export async function readHead(feed: Feed): Promise<number> {
  return Math.max(0, (await feed.rpc("eth_blockNumber", [], quantityWire)) - CONFIRMATIONS);
}
