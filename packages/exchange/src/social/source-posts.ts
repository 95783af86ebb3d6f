import { firstIndex } from "../world/first-index.ts";
import type { Post, SocialSource } from "../world/social-contract.ts";
import type { World } from "../world/world.ts";

/** The posts of one source, oldest first. */
export class SourcePosts {
  readonly #world: SocialWorld;
  readonly #source: SocialSource;
  readonly #list: Post[] = [];
  #read = 0;

  constructor(world: SocialWorld, source: SocialSource) {
    this.#world = world;
    this.#source = source;
  }

  /** Posts written at `fromMs` or later and before `beforeMs`, including deleted ones. */
  between(fromMs: number, beforeMs: number): Post[] {
    const all = this.#all();
    const from = firstIndex(all, fromMs, (post) => post.created_ms);
    return all.slice(
      from,
      firstIndex(all, beforeMs, (post) => post.created_ms),
    );
  }

  /** The same without posts already deleted. */
  standing(fromMs: number, beforeMs: number): Post[] {
    const now = this.#world.reached();
    return this.between(fromMs, beforeMs).filter(({ deleted_ms }) => deleted_ms === null || deleted_ms > now);
  }

  #all(): readonly Post[] {
    const { posts } = this.#world;
    for (; this.#read < posts.length; this.#read += 1) {
      const post = posts[this.#read];
      if (post?.source === this.#source) this.#list.push(post);
    }
    return this.#list;
  }
}

/** The part of the world that the social endpoints read. */
export type SocialWorld = Pick<World, "posts" | "reached">;
