import { KalshiSession } from "../../packages/exchange/src/kalshi/socket/session.ts";
import { Audience } from "../../packages/exchange/src/polymarket/socket/audience.ts";
import { bookFrame } from "../../packages/exchange/src/polymarket/socket/market-frames.ts";
import { tellHappenings } from "../../packages/exchange/src/polymarket/socket/tell-happenings.ts";
import { createWorld } from "../../packages/exchange/src/world/create-world.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { kalshiBookStream } from "../../packages/server/src/connectors/kalshi/book.ts";
import { polymarketBookStream } from "../../packages/server/src/connectors/polymarket/book.ts";
import type { BookFeed, BookFrame } from "./book-feed.ts";

const START_MS = Date.UTC(2026, 9, 5);
const STEP_MS = 1_000;
/** World hours after which fewer frames have to do. */
const MOST_STEPS = 48 * 3_600;
const SOURCE = "made-up (paper exchange)";

/** What the paper exchange sends to one full socket of each venue, in the form of today, until both had so many frames. */
export function paperFrames(most: number): readonly BookFeed[] {
  let now = START_MS;
  const world = createWorld({ seed: 7, clock: () => now, days: 0.1, talk: 0 });
  const feeds = [polymarketFeed(world, most), kalshiFeed(world, most)];
  for (let step = 0; step < MOST_STEPS && feeds.some(({ frames }) => frames.length < most); step += 1) {
    now += STEP_MS;
    world.advanceTo(now);
  }
  return feeds;
}

function polymarketFeed(world: World, most: number): BookFeed {
  const open = world.polymarket.markets.filter((market) => !market.closed);
  const markets = open.slice(-polymarketBookStream.maxInstrumentsPerSocket / 2);
  const instruments = markets.flatMap(({ token_ids }) => [...token_ids]);
  const { frames, send } = collector(world, most);
  const audience = new Audience();
  const client = { assets: new Set<string>(), custom: true, send };
  audience.add(client);
  audience.subscribe(client, instruments);
  send(JSON.stringify(markets.flatMap((market) => [bookFrame(market, 0), bookFrame(market, 1)])));
  world.on(tellHappenings(audience));
  return { venue: "polymarket", source: SOURCE, instruments, frames };
}

function kalshiFeed(world: World, most: number): BookFeed {
  const open = world.kalshi.markets.filter((market) => market.status === "active");
  const instruments = open.slice(-kalshiBookStream.maxInstrumentsPerSocket).map(({ ticker }) => ticker);
  const { frames, send } = collector(world, most);
  const venue = new KalshiSession({ world, overlap_ms: 0 }, { bufferedAmount: 0, send });
  for (const command of kalshiBookStream.session().subscribe(instruments)) venue.receive(command);
  world.on((happening) => venue.hear(happening));
  return { venue: "kalshi", source: SOURCE, instruments, frames };
}

function collector(
  world: World,
  most: number,
): { readonly frames: BookFrame[]; readonly send: (text: string) => void } {
  const frames: BookFrame[] = [];
  const send = (text: string): void => {
    if (frames.length < most) frames.push({ text, receivedMs: world.now() });
  };
  return { frames, send };
}
