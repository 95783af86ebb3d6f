import type { Rng } from "../core/rng.ts";
import type { Post } from "../social-contract.ts";
import type { Authors } from "./authors.ts";
import type { Board } from "./board.ts";

const HOUR = 3_600_000;
const MAX_LIKES = 300;
/** Removal probabilities of posts and reactions. */
const DELETED = 0.05;
const TAKEN_BACK = 0.06;

/** Readers: likes and reposts in the hours after a post, some of them retracted; some posts are deleted. */
export class Audience {
  private readonly board: Board;
  private readonly authors: Authors;
  private readonly rng: Rng;
  private readonly known: WeakMap<Post, Set<string>> = new WeakMap();

  constructor(board: Board, authors: Authors, rng: Rng) {
    this.board = board;
    this.authors = authors;
    this.rng = rng.fork("audience of posts");
  }

  /** Schedules the reactions to a post. A few get many likes, many none; news articles get no likes and stay. */
  meet(post: Post): void {
    if (post.source === "gdelt") return;
    const likes = Math.min(MAX_LIKES, Math.floor(Math.exp(0.2 + 1.2 * this.rng.normal())) - 1);
    for (let i = 0; i < likes; i += 1) this.expect(post, "like");
    if (post.source !== "hackernews") for (let i = 0; i < Math.floor(likes / 4); i += 1) this.expect(post, "repost");
    if (!this.rng.chance(DELETED)) return;
    const later = post.created_ms + 1000 + Math.round(this.rng.wait(2 * HOUR));
    this.board.queue.push(later, (now) => this.board.remove(now, { post }));
  }

  /** Prevents an author from reacting to a post in the same way twice. */
  private isFirst(post: Post, reaction: string): boolean {
    const known = this.known.get(post) ?? new Set();
    this.known.set(post, known);
    return !known.has(reaction) && known.add(reaction).has(reaction);
  }

  private expect(post: Post, type: "like" | "repost"): void {
    const later = post.created_ms + 500 + Math.round(this.rng.wait(0.7 * HOUR));
    this.board.queue.push(later, (now) => {
      const reader = this.authors.reader(post.source, this.rng);
      if (post.deleted_ms !== null || !this.isFirst(post, `${type} ${reader.id}`)) return;
      const reaction = this.board.react(now, reader, type, post);
      if (!this.rng.chance(TAKEN_BACK)) return;
      const after = now + 1000 + Math.round(this.rng.wait(HOUR));
      this.board.queue.push(after, (then) => this.board.remove(then, { reaction }));
    });
  }
}
