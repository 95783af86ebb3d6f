import { join } from "node:path";
import { readLines } from "./read-lines.ts";
import type { RecordedMessage } from "./recorded-message.ts";

const FILE = "polymarket/ws_market/fleet_ws_messages_market_only.log";

/** Eight frames of 2026-02-28, letter by letter: arrays of one book with no asks, and price changes. */
export async function* readFleetMessages(dir: string, assets?: ReadonlySet<string>): AsyncGenerator<RecordedMessage> {
  for await (const line of readLines(join(dir, FILE))) {
    const frame = /^\[[^\]]+\] \[market\] (.+)$/.exec(line)?.[1];
    if (frame === undefined) continue;
    const assetIds = [...new Set([...frame.matchAll(/"asset_id":"(\d+)"/g)].map((match) => match[1] ?? ""))];
    if (assets && !assetIds.some((asset) => assets.has(asset))) continue;
    yield { source: "fleet", asset_ids: assetIds, frame };
  }
}
