import type { PullOptions } from "../../definition/connector.ts";
import { RecentIds } from "./recent-ids.ts";

/** What the walk remembers of what it stored, so that it can tell what is about it. All of it is bounded. */
export type Memory = {
  /** Posts whose reactions are counted, and when each was posted. */
  readonly posts: RecentIds;
  /** Reactions that were stored. */
  readonly reactions: RecentIds;
  /** DID → name. */
  readonly handles: Map<string, string>;
};

const MOST_POSTS = 1_000_000;
const MOST_REACTIONS = 1_000_000;
const MOST_HANDLES = 200_000;

/** By the run of the stream that asks: its turns go on with the memory of those before. */
const memories = new WeakMap<PullOptions["known"], Memory>();

/** The memory of this run of the stream: as the store has it at first. */
export async function openMemory(known: PullOptions["known"]): Promise<Memory> {
  const opened = memories.get(known) ?? (await loadMemory(known));
  memories.set(known, opened);
  return opened;
}

async function loadMemory(known: PullOptions["known"]): Promise<Memory> {
  const memory: Memory = {
    posts: new RecentIds(MOST_POSTS),
    reactions: new RecentIds(MOST_REACTIONS),
    handles: new Map(),
  };
  for (const [author, handle] of pairs(await known("bluesky_handles"))) rememberHandle(memory, author, handle);
  for (const [id, ms] of pairs(await known("recent_bluesky_reactions"))) memory.reactions.set(id, Number(ms));
  for (const [id, ms] of pairs(await known("recent_bluesky_posts"))) memory.posts.set(id, Number(ms));
  await trackMentioned(memory, known);
  return memory;
}

/** Posts about markets stay tracked while they are days old, however many others came since. */
export async function trackMentioned({ posts }: Memory, known: PullOptions["known"]): Promise<void> {
  for (const [id, ms] of pairs(await known("mentioned_bluesky_posts"))) posts.set(id, Number(ms));
}

/** The name that was told longest ago is forgotten first. */
export function rememberHandle({ handles }: Memory, author: string, handle: string): void {
  handles.delete(author);
  handles.set(author, handle);
  if (handles.size <= MOST_HANDLES) return;
  const [oldest = ""] = handles.keys();
  handles.delete(oldest);
}

/** Texts of two words. */
function pairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const blank = text.indexOf(" ");
    return [text.slice(0, blank), text.slice(blank + 1)] as const;
  });
}
