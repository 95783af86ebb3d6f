import type { Post, SocialSource } from "../../src/world/social-contract.ts";
import { serveSocial, type ServedSocial } from "../../src/social/serve-social.ts";

/** 2026-09-10 12:00:00 UTC. */
export const NOON = Date.UTC(2026, 8, 10, 12);

/** Creates a post of a source, written at `ms`, with the further fields of `more`. */
export function madePost(source: SocialSource, number: number, ms: number, more: Partial<Post> = {}): Post {
  const rkeys = {
    bluesky: `3k${number}`,
    hackernews: String(40_000_000 + number),
    gdelt: `article-${number}`,
    x: String((BigInt(ms - 1_288_834_974_657) << 22n) | BigInt(number)),
  };
  return {
    source,
    number,
    did: source === "x" ? String(700 + (number % 5)) : `writer${number % 5}`,
    handle: source === "gdelt" ? "harbordispatch.example" : `writer${number % 5}`,
    rkey: rkeys[source],
    cid: "",
    text: `Will it rain on day ${number}?`,
    langs: ["en"],
    created_ms: ms,
    declared_ms: ms,
    parent: null,
    link: null,
    root: null,
    event_id: null,
    condition_ids: [],
    naming: "none",
    stance: "none",
    tone: 0,
    likes: 0,
    reposts: 0,
    replies: 0,
    quotes: 0,
    deleted_ms: null,
    deleted_by: null,
    ...more,
  };
}

export const TOKEN = "paper-token";

/** Social endpoints that serve hand-made posts, with their two clocks under the test's control. */
export interface MadeEndpoints {
  served: ServedSocial;
  posts: Post[];
  /** World time, and real time for limits and billing. */
  clock: { now: number; wall: number };
  /** GET below the URL of an endpoint; X with its token unless another is given. */
  get(endpoint: "hn" | "gdelt" | "x", path: string, query?: Record<string, string>, token?: string): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export async function openEndpoints(posts: Post[], limits = false): Promise<MadeEndpoints> {
  const clock = { now: NOON, wall: NOON };
  const world = { posts, reached: () => clock.now };
  const served = await serveSocial({ world, x_bearer_token: TOKEN, limits, wall: () => clock.wall });
  return {
    served,
    posts,
    clock,
    async get(endpoint, path, query = {}, token = TOKEN) {
      const url = `${served[`${endpoint}_url`]}${path}?${new URLSearchParams(query).toString()}`;
      const reply = await fetch(url, endpoint === "x" ? { headers: { authorization: `Bearer ${token}` } } : {});
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    },
  };
}
