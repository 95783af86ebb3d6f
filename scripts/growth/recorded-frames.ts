import { existsSync } from "node:fs";
import { join } from "node:path";
import { readFiveMinuteMessages } from "../../packages/exchange/src/record/read-five-minute-messages.ts";
import { readSignaldriftMessages } from "../../packages/exchange/src/record/read-signaldrift-messages.ts";
import type { RecordedMessage } from "../../packages/exchange/src/record/recorded-message.ts";
import { polymarketBookStream } from "../../packages/server/src/connectors/polymarket/book.ts";
import type { BookFeed, BookFrame } from "./book-feed.ts";

type Read = (dir: string) => AsyncGenerator<RecordedMessage>;

/** Of the eight frames recorded letter by letter nothing can be measured; no websocket of Kalshi was recorded at all. */
const SOURCES: readonly { readonly source: string; readonly read: Read }[] = [
  { source: "recorded 2025, changes of one token", read: readSignaldriftMessages },
  { source: "recorded 2026, books each second and prints", read: readFiveMinuteMessages },
];

/** Recorded frames of Polymarket's market websocket for one socket's tokens; none where there are no recordings. */
export async function recordedFrames(dir: string, most: number): Promise<readonly BookFeed[]> {
  if (!existsSync(join(dir, "polymarket/ws_market"))) return [];
  const feeds: BookFeed[] = [];
  for (const { source, read } of SOURCES) feeds.push(await readFeed(source, read(dir), most));
  return feeds;
}

async function readFeed(source: string, messages: AsyncGenerator<RecordedMessage>, most: number): Promise<BookFeed> {
  const tokens = new Set<string>();
  const frames: BookFrame[] = [];
  for await (const { asset_ids, frame } of messages) {
    const hasRoom = tokens.size + asset_ids.length <= polymarketBookStream.maxInstrumentsPerSocket;
    if (!hasRoom && !asset_ids.some((token) => tokens.has(token))) continue;
    for (const token of hasRoom ? asset_ids : []) tokens.add(token);
    frames.push({ text: frame, receivedMs: Date.now() });
    if (frames.length >= most) break;
  }
  return { venue: "polymarket", source, instruments: [...tokens], frames };
}
