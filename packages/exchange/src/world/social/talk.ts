import type { Bus } from "../bus.ts";
import type { EventHeap } from "../core/event-heap.ts";
import type { Rng } from "../core/rng.ts";
import type { Task } from "../core/simulation.ts";
import type { MarketView } from "../polymarket/market-view.ts";
import type { PolymarketState } from "../polymarket/polymarket-state.ts";
import type { Post, SocialSource } from "../social-contract.ts";
import type { SocialHappening } from "../social-happenings.ts";
import type { TruthCounts } from "../world.ts";
import { Authors } from "./authors.ts";
import { rkeyOf } from "./rkey-of.ts";
import { type Said, sayNoise, saySubject } from "./say.ts";
import { declareTime, spoilText } from "./spoil.ts";
import { Subjects } from "./subjects.ts";
import { toCid } from "./to-cid.ts";

const HOUR = 3_600_000;
/** Posts an hour while nothing moves. */
const MURMUR = 120;

export interface TalkParts {
  seed: number;
  rng: Rng;
  queue: EventHeap<Task>;
  bus: Bus;
  counts: TruthCounts;
  state: PolymarketState;
  posts: Post[];
  /** Everything of the talk, oldest first. */
  told: SocialHappening[];
}

/** People talk: a steady murmur, half of it about what trades, and a burst in the half hour after a jump. */
export class Talk {
  private readonly parts: TalkParts;
  private readonly rng: Rng;
  private readonly authors: Authors;
  private readonly subjects: Subjects;

  constructor(parts: TalkParts) {
    this.parts = parts;
    this.rng = parts.rng.fork("posts");
    this.authors = new Authors(parts.seed);
    this.subjects = new Subjects(parts.state);
  }

  /** Starts the murmur. */
  start(at: number): void {
    this.parts.queue.push(at + Math.round(this.rng.wait(HOUR / MURMUR)), (now) => {
      const market = this.rng.chance(0.5) ? this.subjects.pick(this.rng) : undefined;
      const said = market === undefined ? sayNoise(this.rng) : saySubject(market, this.subjects, this.rng, false);
      this.write(now, said, null);
      this.start(now);
    });
  }

  /** A jump of probability brings posts in proportion to its size, fast first and then fewer, while the market trades. */
  burst(market: MarketView, at: number, before: number, after: number): void {
    const count = Math.min(60, Math.round(Math.abs(after - before) * 120));
    for (let i = 0; i < count; i += 1) {
      const later = at + 1000 + Math.round(this.rng.wait(8 * 60_000));
      this.parts.queue.push(later, (now) => {
        if (market.closed_ms !== null) return;
        this.write(now, saySubject(market, this.subjects, this.rng, true), market.event.id);
      });
    }
  }

  private write(at: number, said: Said, event_id: string | null): void {
    const { seed, posts, counts, bus, told } = this.parts;
    const source = this.sourceOf();
    const author = this.authors.writer(source, this.rng);
    const number = posts.length;
    const us = Math.max(at * 1000, (told.at(-1)?.us ?? 0) + 1);
    const post: Post = {
      source,
      number,
      did: author.id,
      handle: author.handle,
      rkey: rkeyOf(source, us, number),
      cid: toCid(seed, number),
      created_ms: at,
      declared_ms: source === "bluesky" ? declareTime(at, this.rng) : at,
      parent: null,
      link: null,
      root: null,
      event_id,
      ...said,
      text: spoilText(said.text, this.rng),
      likes: 0,
      reposts: 0,
      replies: 0,
      quotes: 0,
      deleted_ms: null,
      deleted_by: null,
    };
    posts.push(post);
    counts.posts += 1;
    const happening = { kind: "post", seq: told.length + 1, ms: at, us, post } as const;
    told.push(happening);
    bus.emit(happening);
  }

  private sourceOf(): SocialSource {
    const turn = this.rng.unit();
    if (turn < 0.8) return "bluesky";
    if (turn < 0.88) return "hackernews";
    return turn < 0.94 ? "gdelt" : "x";
  }
}
