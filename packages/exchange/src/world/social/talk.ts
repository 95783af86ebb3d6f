import type { Rng } from "../core/rng.ts";
import type { MarketView } from "../polymarket/market-view.ts";
import type { PolymarketState } from "../polymarket/polymarket-state.ts";
import type { Post, SocialSource } from "../social-contract.ts";
import { Accounts } from "./accounts.ts";
import { Audience } from "./audience.ts";
import { Authors } from "./authors.ts";
import { Board, type BoardParts, type Place } from "./board.ts";
import { type Said, sayAnswer, sayNoise, saySubject } from "./say.ts";
import { Subjects } from "./subjects.ts";

const HOUR = 3_600_000;
/** Posts per hour without price jumps. */
const MURMUR = 120;
const ALONE: Pick<Place, "parent" | "link"> = { parent: null, link: null };

export interface TalkParts extends BoardParts {
  state: PolymarketState;
  /** Multiplier of the number of posts. */
  loudness: number;
}

/** Creates posts: a steady background, half of it about open markets, and a burst in the half hour after a jump. */
export class Talk {
  private readonly parts: TalkParts;
  private readonly rng: Rng;
  private readonly authors: Authors;
  private readonly subjects: Subjects;
  private readonly board: Board;
  private readonly audience: Audience;

  constructor(parts: TalkParts) {
    this.parts = parts;
    this.rng = parts.rng.fork("posts");
    this.authors = new Authors(parts.seed);
    this.subjects = new Subjects(parts.state);
    this.board = new Board(parts);
    this.audience = new Audience(this.board, this.authors, parts.rng);
  }

  /** Starts the background posts. */
  start(at: number): void {
    if (this.parts.loudness <= 0) return;
    new Accounts(this.board, this.authors, this.parts.rng).start(at);
    this.murmur(at);
  }

  /**
   * A probability jump causes posts in proportion to its size, fast at first and then fewer, while the market trades.
   */
  burst(market: MarketView, at: number, before: number, after: number): void {
    const count = Math.min(60, Math.round(Math.abs(after - before) * 120)) * this.parts.loudness;
    for (let i = 0; i < count; i += 1) {
      const later = at + 1000 + Math.round(this.rng.wait(8 * 60_000));
      this.parts.queue.push(later, (now) => {
        if (market.closed_ms !== null) return;
        const said = saySubject(market, this.subjects, this.rng, true);
        this.write(now, said, this.sourceOf(), { ...ALONE, event_id: market.event.id });
      });
    }
  }

  private murmur(at: number): void {
    const wait = HOUR / (MURMUR * this.parts.loudness);
    this.parts.queue.push(at + Math.round(this.rng.wait(wait)), (now) => {
      const source = this.sourceOf();
      const parent = this.rng.chance(source === "hackernews" ? 0.7 : 0.22) ? this.parentIn(source) : undefined;
      if (parent === undefined) {
        const market = this.rng.chance(0.5) ? this.subjects.pick(this.rng) : undefined;
        this.write(now, this.say(market), source, { ...ALONE, event_id: null });
      } else this.answer(now, parent);
      this.murmur(now);
    });
  }

  private parentIn(source: SocialSource): Post | undefined {
    const posts = source === "gdelt" ? [] : this.board.answerable(source);
    return posts[this.rng.below(posts.length)];
  }

  /** Half of the replies name nothing; the others name the parent's market if it still trades. */
  private answer(at: number, parent: Post): void {
    const isQuote = parent.source !== "hackernews" && this.rng.chance(0.35);
    const market = this.parts.state.market(parent.condition_ids[0] ?? "");
    const about = market?.closed_ms === null ? market : undefined;
    const said = this.rng.chance(0.5) ? sayAnswer(this.rng) : this.say(about);
    this.write(at, said, parent.source, { parent, link: isQuote ? "quote" : "reply", event_id: null });
  }

  private say(market: MarketView | undefined): Said {
    return market === undefined ? sayNoise(this.rng) : saySubject(market, this.subjects, this.rng, false);
  }

  private write(at: number, said: Said, source: SocialSource, place: Place): void {
    const author = this.authors.writer(source, this.rng);
    this.audience.meet(this.board.post(at, author, said, place));
  }

  private sourceOf(): SocialSource {
    const turn = this.rng.unit();
    if (turn < 0.8) return "bluesky";
    if (turn < 0.88) return "hackernews";
    return turn < 0.94 ? "gdelt" : "x";
  }
}
