import { readRecordedMessages } from "../../../packages/exchange/src/record/read-recorded-messages.ts";
import { polymarketBookStream } from "../../../packages/server/src/connectors/polymarket/book.ts";
import type { House } from "../open-house.ts";
import { runBookSocket } from "../run-book-socket.ts";
import { countSource } from "../socket/count-source.ts";
import { DistrustWatch } from "../socket/distrust-watch.ts";
import { saidOf, type Source } from "../socket/recorded-frame.ts";
import { SourceTally } from "../socket/source-tally.ts";
import type { StreamCount } from "../stream-count.ts";

const SOURCES: readonly { readonly source: Source; readonly title: string }[] = [
  { source: "fleet", title: "market socket, frames of 2026-02" },
  { source: "btc_eth_5m", title: "market socket, five-minute markets" },
  { source: "signaldrift", title: "market socket, form of 2025" },
];

/** Every recorded frame of the market websocket; `most` tokens a source where a part is enough. */
export async function marketSocket(house: House, most = Number.POSITIVE_INFINITY): Promise<readonly StreamCount[]> {
  const chosen = await tokensOf(house.dir, most);
  const tallies = new Map(SOURCES.map(({ source }) => [source, new SourceTally()]));
  let frames = 0;
  for await (const { source, frame } of readRecordedMessages(house.dir, { assets: chosen })) {
    frames += 1;
    for (const said of saidOf(frame)) if (chosen.has(said.token)) tallies.get(source)?.add(said);
  }
  const watch = new DistrustWatch();
  const asked = { tokens: [...chosen], frames, onDecoded: watch.see };
  const outcome = await runBookSocket(house, polymarketBookStream, asked);
  const counts: StreamCount[] = [];
  for (const { source, title } of SOURCES) {
    const tally = tallies.get(source);
    if (tally) counts.push(...(await countSource(house, title, tally, { ...outcome, untrusted: watch.untrusted })));
  }
  return counts;
}

async function tokensOf(dir: string, most: number): Promise<ReadonlySet<string>> {
  const bySource = new Map<Source, Set<string>>();
  for await (const { source, asset_ids } of readRecordedMessages(dir)) {
    const tokens = bySource.get(source) ?? new Set<string>();
    bySource.set(source, tokens);
    for (const token of asset_ids) if (tokens.size < most) tokens.add(token);
  }
  return new Set([...bySource.values()].flatMap((tokens) => Array.from(tokens)));
}
