import type { Bus } from "../bus.ts";
import type { EventHeap } from "../core/event-heap.ts";
import type { Rng } from "../core/rng.ts";
import { spoilName } from "../hostile/hostile-texts.ts";
import type { Task } from "../core/simulation.ts";
import type { Post, SocialSource } from "../social-contract.ts";
import type { Reaction, SocialHappening } from "../social-happenings.ts";
import type { TruthCounts } from "../world.ts";
import type { Author } from "./authors.ts";
import type { Said } from "./say.ts";
import { toCid, toTid } from "./record-ids.ts";
import { HOSTILE } from "./talk-words.ts";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Occasionally adds characters that break careless parsers, or makes the text very long. */
function spoilText(text: string, rng: Rng): string {
  if (!rng.chance(0.006)) return text;
  if (rng.chance(0.2)) return `${text} ${"and on and on ".repeat(700)}`;
  return `${text} ${rng.pick(HOSTILE)}`;
}

/** Creation time declared by an author: mostly right to the second, occasionally minutes or years off. */
function declareTime(at: number, rng: Rng): number {
  const turn = rng.unit();
  if (turn < 0.01) return Math.round(at + (rng.chance(0.5) ? -1 : 1) * rng.between(1, 12) * YEAR);
  if (turn < 0.04) return Math.round(at + rng.between(-30, 30) * MINUTE);
  return Math.round(at - rng.between(0, 900));
}

const X_EPOCH = 1_288_834_974_657;

/** Id of a record created at its source at that time; `number` is unique in the world. */
function rkeyOf(source: SocialSource, us: number, number: number): string {
  if (source === "bluesky") return toTid(us, number);
  if (source === "hackernews") return String(40_000_000 + number);
  if (source === "x") return String((BigInt(Math.floor(us / 1000) - X_EPOCH) << 22n) | BigInt(number & 0x3f_ffff));
  return `article-${number}`;
}

export interface BoardParts {
  seed: number;
  rng: Rng;
  queue: EventHeap<Task>;
  bus: Bus;
  counts: TruthCounts;
  posts: Post[];
  /** All social happenings, oldest first. */
  published: SocialHappening[];
  /** Share of posts whose text is hostile. */
  hostile: number;
}

/** Context of a post: what it replies to or quotes, and what it reacts to. */
export type Place = Pick<Post, "parent" | "link" | "event_id">;

const NEW = { likes: 0, reposts: 0, replies: 0, quotes: 0, deleted_ms: null, deleted_by: null } as const;

type Unreported<H> = H extends SocialHappening ? Omit<H, "seq" | "us" | "ms"> : never;

/** Posts, reactions and their removal, with up-to-date counts of every post. */
export class Board {
  readonly queue: EventHeap<Task>;
  private readonly parts: BoardParts;
  private readonly rng: Rng;
  private readonly spoiler: Rng;
  private readonly recent: Map<SocialSource, Post[]> = new Map();
  private readonly byAuthor: Map<string, { posts: Post[]; reactions: Reaction[] }> = new Map();
  private records = 0;

  constructor(parts: BoardParts) {
    this.parts = parts;
    this.queue = parts.queue;
    this.rng = parts.rng.fork("records of posts");
    this.spoiler = parts.rng.fork("hostile posts");
  }

  /** The recent posts of a source that can still get replies. */
  answerable(source: SocialSource): readonly Post[] {
    return (this.recent.get(source) ?? []).filter((post) => post.deleted_ms === null);
  }

  post(at: number, author: Author, said: Said, place: Place): Post {
    const { posts, counts } = this.parts;
    const { parent } = place;
    const { source } = author;
    const made = this.record(source, at, posts.length);
    const post: Post = {
      source,
      number: posts.length,
      did: author.id,
      handle: author.handle,
      ...made,
      created_ms: at,
      declared_ms: source === "bluesky" ? declareTime(at, this.rng) : at,
      ...place,
      root: place.link === "reply" && parent !== null ? (parent.root ?? parent) : null,
      ...said,
      text: this.spoil(spoilText(said.text, this.rng)),
      ...NEW,
    };
    posts.push(post);
    counts.posts += 1;
    this.of(author.id).posts.push(post);
    const recent = this.recent.get(source) ?? [];
    this.recent.set(source, [...recent.slice(-59), post]);
    count(post, 1);
    this.publish(at, { kind: "post", post });
    return post;
  }

  private spoil(text: string): string {
    return this.spoiler.chance(this.parts.hostile) ? spoilName(text, this.spoiler) : text;
  }

  react(at: number, author: Author, type: Reaction["type"], post: Post): Reaction {
    const made = this.record(author.source, at, 0x4000_0000 + this.records);
    this.records += 1;
    const { source, id: did } = author;
    const reaction: Reaction = { source, type, post, did, ...made, created_ms: at, removed_ms: null, removed_by: null };
    this.of(did).reactions.push(reaction);
    post[type === "like" ? "likes" : "reposts"] += 1;
    this.parts.counts.reactions += 1;
    this.publish(at, { kind: "reaction", reaction });
    return reaction;
  }

  /** The author retracts a post or reaction; no effect when it is already gone. */
  remove(at: number, removed: { post: Post } | { reaction: Reaction }): void {
    const isDone = "post" in removed ? erase(removed.post, at, "author") : retract(removed.reaction, at, "author");
    if (!isDone) return;
    this.parts.counts.removals += 1;
    this.publish(at, { kind: "removal", removed });
  }

  /** Removes an account with all of its posts and reactions. */
  end(at: number, author: Author, status: "deleted" | "takendown"): void {
    const { posts, reactions } = this.of(author.id);
    for (const post of posts) erase(post, at, "account");
    for (const reaction of reactions) retract(reaction, at, "account");
    this.publish(at, { kind: "account", did: author.id, active: false, status });
  }

  publish(at: number, happening: Unreported<SocialHappening>): void {
    const { published, bus } = this.parts;
    const us = Math.max(at * 1000, (published.at(-1)?.us ?? 0) + 1);
    const whole = { ...happening, seq: published.length + 1, ms: at, us };
    published.push(whole);
    bus.emit(whole);
  }

  /** Keys of a record created now. */
  private record(source: SocialSource, at: number, number: number): { rkey: string; cid: string } {
    return { rkey: rkeyOf(source, at * 1000, number), cid: toCid(this.parts.seed, number) };
  }

  private of(did: string): { posts: Post[]; reactions: Reaction[] } {
    const own = this.byAuthor.get(did) ?? { posts: [], reactions: [] };
    this.byAuthor.set(did, own);
    return own;
  }
}

/** Counts a post as reply or quote of its parent, for as long as it exists. */
function count(post: Post, by: 1 | -1): void {
  if (post.parent === null) return;
  post.parent[post.link === "quote" ? "quotes" : "replies"] += by;
}

function erase(post: Post, at: number, by: "author" | "account"): boolean {
  if (post.deleted_ms !== null) return false;
  post.deleted_ms = at;
  post.deleted_by = by;
  count(post, -1);
  return true;
}

function retract(reaction: Reaction, at: number, by: "author" | "account"): boolean {
  if (reaction.removed_ms !== null) return false;
  reaction.removed_ms = at;
  reaction.removed_by = by;
  reaction.post[reaction.type === "like" ? "likes" : "reposts"] -= 1;
  return true;
}
