import type { Bus } from "../bus.ts";
import type { Post } from "../social-contract.ts";
import type { EventHeap } from "../core/event-heap.ts";
import type { MarketView } from "./market-view.ts";
import { HASH_KIND, mixHex } from "../core/mix-hash.ts";
import type { PolymarketState } from "./polymarket-state.ts";
import type { Rng } from "../core/rng.ts";
import type { Task } from "../core/simulation.ts";
import type { TruthCounts } from "../world.ts";

const HOUR = 3_600_000;
const TALK = [
  "Looking at this one again",
  "Anyone else watching this?",
  "Not sure about the odds here",
  "Big if true",
  "My take",
];
const NEWS = ["BREAKING", "Just in", "Wow, this moved", "Reports now say", "This changes things"];

export interface PostParts {
  seed: number;
  rng: Rng;
  queue: EventHeap<Task>;
  bus: Bus;
  counts: TruthCounts;
  state: PolymarketState;
  list: Post[];
}

/** People talk: a steady murmur about what trades, and a burst in the half hour after a jump. */
export class Posts {
  private readonly parts: PostParts;
  private readonly rng: Rng;

  constructor(parts: PostParts) {
    this.parts = parts;
    this.rng = parts.rng.fork("posts");
  }

  /** Starts the murmur: about 30 posts an hour. */
  start(at: number): void {
    this.parts.queue.push(at + Math.round(this.rng.wait(HOUR / 30)), (now) => {
      const { markets } = this.parts.state;
      const market = markets[this.rng.below(markets.length)];
      if (market !== undefined && market.core.plan.asset === null) this.write(market, now, TALK, null);
      this.start(now);
    });
  }

  /** A jump of probability brings posts in proportion to its size, fast first and then fewer. */
  burst(market: MarketView, at: number, before: number, after: number): void {
    const count = Math.min(60, Math.round(Math.abs(after - before) * 120));
    for (let i = 0; i < count; i += 1) {
      const later = at + 1000 + Math.round(this.rng.wait(8 * 60_000));
      this.parts.queue.push(later, (now) => this.write(market, now, NEWS, market.event.id));
    }
  }

  private write(market: MarketView, at: number, openers: readonly string[], event_id: string | null): void {
    const { seed, list, bus, counts } = this.parts;
    const author = this.rng.below(400);
    const number = list.length;
    const post: Post = {
      source: "bluesky",
      number,
      did: `did:plc:${mixHex(seed, HASH_KIND.post, author, 12).slice(2)}`,
      handle: `reader${author}.bsky.social`,
      rkey: (at * 1000 + (number % 1000)).toString(32).padStart(13, "2"),
      text: `${this.rng.pick(openers)}: ${market.question}`,
      langs: ["en"],
      created_ms: at,
      declared_ms: at,
      parent: null,
      event_id,
      condition_ids: [market.condition_id],
      likes: 0,
      reposts: 0,
      replies: 0,
      quotes: 0,
      deleted_ms: null,
    };
    list.push(post);
    counts.posts += 1;
    bus.emit({ kind: "post", seq: bus.next(), ms: at, post });
  }
}
