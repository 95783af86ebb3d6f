import type { Frame } from "./jetstream-line.ts";

/** Text and counts of a post. */
export type Standing = { text: string; likes: number; reposts: number; replies: number; quotes: number };

type Made = { did: string; target: string | undefined; field: keyof Omit<Standing, "text"> | undefined };

const FIELDS = { "app.bsky.feed.like": "likes", "app.bsky.feed.repost": "reposts" } as const;

/** Computes from the frames the posts that are not deleted and their counts, keyed by URI. */
export function foldFrames(frames: readonly Frame[]): Map<string, Standing> {
  const posts = new Map<string, Standing>();
  const made = new Map<string, Made>();
  const forget = (uri: string): void => {
    const { target, field } = made.get(uri) ?? {};
    const standing = posts.get(target ?? "");
    if (field !== undefined && standing !== undefined) standing[field] -= 1;
    posts.delete(uri);
    made.delete(uri);
  };
  for (const { did, commit, account } of frames) {
    if (account?.active === false) {
      for (const [uri, record] of made) if (record.did === did) forget(uri);
    }
    if (commit === undefined) continue;
    const uri = `at://${did}/${commit.collection}/${commit.rkey}`;
    if (commit.operation === "delete") forget(uri);
    else {
      const record: Record<string, unknown> = commit.record ?? {};
      const { target, field } = aimOf(commit.collection, record);
      made.set(uri, { did, target, field });
      const standing = posts.get(target ?? "");
      if (field !== undefined && standing !== undefined) standing[field] += 1;
      if (commit.collection !== "app.bsky.feed.post") continue;
      posts.set(uri, { text: String(record["text"]), likes: 0, reposts: 0, replies: 0, quotes: 0 });
    }
  }
  return posts;
}

function aimOf(collection: string, record: Record<string, unknown>): Pick<Made, "target" | "field"> {
  const { subject, reply, embed } = record as {
    subject?: { uri: string };
    reply?: { parent: { uri: string } };
    embed?: { record?: { uri: string } };
  };
  if (collection in FIELDS) return { target: subject?.uri, field: FIELDS[collection as keyof typeof FIELDS] };
  if (reply !== undefined) return { target: reply.parent.uri, field: "replies" };
  return embed?.record === undefined
    ? { target: undefined, field: undefined }
    : { target: embed.record.uri, field: "quotes" };
}
