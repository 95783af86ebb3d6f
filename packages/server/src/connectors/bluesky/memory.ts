import type { PullOptions } from "../../definition/connector.ts";
import { RecentIds } from "./recent-ids.ts";

/** Bounded in-memory record of stored posts, reactions and handles; decides which stream events are relevant. */
export type Memory = {
  /** Tracked posts, whose reactions are counted, with the time each was posted. */
  readonly posts: RecentIds;
  /** Reactions already stored. */
  readonly reactions: RecentIds;
  /** DID → handle. */
  readonly handles: Map<string, string>;
};

const MAX_POSTS = 1_000_000;
const MAX_REACTIONS = 1_000_000;
const MAX_HANDLES = 200_000;

/** Keyed by the run of the stream, so that each cycle reuses the memory of the cycles before it. */
const memories = new WeakMap<PullOptions["known"], Memory>();

/** Returns the memory of this stream run, loaded from the store on first use. */
export async function openMemory(known: PullOptions["known"]): Promise<Memory> {
  const opened = memories.get(known) ?? (await loadMemory(known));
  memories.set(known, opened);
  return opened;
}

async function loadMemory(known: PullOptions["known"]): Promise<Memory> {
  const memory: Memory = {
    posts: new RecentIds(MAX_POSTS),
    reactions: new RecentIds(MAX_REACTIONS),
    handles: new Map(),
  };
  for (const [author, handle] of pairs(await known("bluesky_handles"))) rememberHandle(memory, author, handle);
  for (const [id, ms] of pairs(await known("recent_bluesky_reactions"))) memory.reactions.set(id, Number(ms));
  for (const [id, ms] of pairs(await known("recent_bluesky_posts"))) memory.posts.set(id, Number(ms));
  await trackMentioned(memory, known);
  return memory;
}

/** Keeps posts about markets tracked while they are days old, however many newer posts arrived since. */
export async function trackMentioned({ posts }: Memory, known: PullOptions["known"]): Promise<void> {
  for (const [id, ms] of pairs(await known("mentioned_bluesky_posts"))) posts.set(id, Number(ms));
}

/** Evicts the least recently reported handle when full. */
export function rememberHandle({ handles }: Memory, author: string, handle: string): void {
  handles.delete(author);
  handles.set(author, handle);
  if (handles.size <= MAX_HANDLES) return;
  const [oldest = ""] = handles.keys();
  handles.delete(oldest);
}

/** Splits each text at its first blank into two words. */
function pairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const blank = text.indexOf(" ");
    return [text.slice(0, blank), text.slice(blank + 1)] as const;
  });
}
