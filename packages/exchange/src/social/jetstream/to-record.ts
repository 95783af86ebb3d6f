import type { Post } from "../../world/social-contract.ts";
import type { Reaction } from "../../world/social-happenings.ts";

/** A hashtag or link in a text, by UTF-8 byte offsets. */
interface Facet {
  index: { byteStart: number; byteEnd: number };
  features: ({ $type: string } & Record<string, string>)[];
}

const PARTS = /https:\/\/\S+|#[\p{L}\p{N}]+/gu;

/** Returns the hashtags and links of a text, as Bluesky clients mark them. */
function findFacets(text: string): Facet[] {
  return [...text.matchAll(PARTS)].map(({ 0: part, index }) => {
    const byteStart = Buffer.byteLength(text.slice(0, index));
    const feature = part.startsWith("#")
      ? { $type: "app.bsky.richtext.facet#tag", tag: part.slice(1) }
      : { $type: "app.bsky.richtext.facet#link", uri: part };
    return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] };
  });
}

/** Reference to a record, by address and content id. */
interface Reference {
  cid: string;
  uri: string;
}

interface PostRecord {
  $type: "app.bsky.feed.post";
  text: string;
  createdAt: string;
  langs?: string[];
  facets?: Facet[];
  reply?: { root: Reference; parent: Reference };
  embed?: { $type: string } & Record<string, unknown>;
}

export const POST_COLLECTION = "app.bsky.feed.post";

function referTo(post: Post): Reference {
  return { cid: post.cid, uri: `at://${post.did}/${POST_COLLECTION}/${post.rkey}` };
}

/** Formats a timestamp as the post's client does: most with milliseconds, some without, a few with an offset. */
function clientTime(ms: number, number: number): string {
  const text = new Date(ms).toISOString();
  if (number % 17 === 3) return text.replace(/\.\d+Z$/, "Z");
  return number % 41 === 5 ? text.replace("Z", "000+00:00") : text;
}

/** The record of a post, as its author's client wrote it. */
export function toPostRecord(post: Post): PostRecord {
  const { parent, root, link, text, langs } = post;
  const facets = findFacets(text);
  const address = /https:\/\/\S+/.exec(text)?.[0];
  return {
    $type: POST_COLLECTION,
    text,
    createdAt: clientTime(post.declared_ms, post.number),
    ...(langs.length > 0 && { langs: [...langs] }),
    ...(facets.length > 0 && { facets }),
    ...(link === "reply" && parent !== null && { reply: { root: referTo(root ?? parent), parent: referTo(parent) } }),
    ...(link === "quote" && parent !== null
      ? { embed: { $type: "app.bsky.embed.record", record: referTo(parent) } }
      : address !== undefined && {
          embed: { $type: "app.bsky.embed.external", external: { uri: address, title: address, description: "" } },
        }),
  };
}

/** The record of a like or repost. */
export function toReactionRecord({ type, post, created_ms }: Reaction): object {
  const createdAt = new Date(created_ms).toISOString();
  return { $type: `app.bsky.feed.${type}`, subject: referTo(post), createdAt };
}
