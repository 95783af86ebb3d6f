import type { Post } from "../../src/world/social-contract.ts";
import type { Reaction, SocialHappening } from "../../src/world/social-happenings.ts";

type Counts = Pick<Post, "likes" | "reposts" | "replies" | "quotes">;

/** Computes the counts of posts from happenings alone. */
export class TalkLedger {
  taken = 0;
  readonly #counts = new Map<Post, Counts>();
  readonly #gone = new Set<Post>();
  readonly #standing = new Set<Reaction>();

  take(happening: SocialHappening): void {
    this.taken += 1;
    if (happening.kind === "post") {
      this.#counts.set(happening.post, { likes: 0, reposts: 0, replies: 0, quotes: 0 });
      this.#answers(happening.post, 1);
    } else if (happening.kind === "reaction") this.#react(happening.reaction, 1);
    else if (happening.kind === "removal") {
      if ("post" in happening.removed) this.#erase(happening.removed.post);
      else this.#react(happening.removed.reaction, -1);
    } else if (happening.kind === "account" && !happening.active) {
      for (const post of this.#counts.keys()) if (post.did === happening.did) this.#erase(post);
      for (const reaction of this.#standing) if (reaction.did === happening.did) this.#react(reaction, -1);
    }
  }

  countsOf(post: Post): Counts | undefined {
    return this.#counts.get(post);
  }

  isGone(post: Post): boolean {
    return this.#gone.has(post);
  }

  #react(reaction: Reaction, by: 1 | -1): void {
    if (by === 1) this.#standing.add(reaction);
    else this.#standing.delete(reaction);
    this.#add(reaction.post, reaction.type === "like" ? "likes" : "reposts", by);
  }

  #erase(post: Post): void {
    if (this.#gone.has(post)) return;
    this.#gone.add(post);
    this.#answers(post, -1);
  }

  #answers(post: Post, by: 1 | -1): void {
    if (post.parent !== null) this.#add(post.parent, post.link === "quote" ? "quotes" : "replies", by);
  }

  #add(post: Post, field: keyof Counts, by: 1 | -1): void {
    const counts = this.#counts.get(post);
    if (counts !== undefined) counts[field] += by;
  }
}
