import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Happening } from "../../src/world/contract.ts";
import { createWorld, type WorldOptions } from "../../src/world/create-world.ts";
import { SOCIAL_SOURCES, type Post } from "../../src/world/social-contract.ts";
import { isTalk } from "../../src/world/social-happenings.ts";
import { namesIn } from "../../src/world/social/name-subject.ts";
import type { World } from "../../src/world/world.ts";
import { NOON } from "../world/small-world.ts";
import { TalkLedger } from "./talk-ledger.ts";

const SIZES = { days: 0.1, events: 40, wallets: 100, kalshi_markets: 10, activity: 1 };

const byId = (key: string, value: unknown): unknown => {
  const { condition_id, ticker, slug } = (value ?? {}) as Record<string, string>;
  return key === "market" || key === "event" ? (condition_id ?? ticker ?? slug) : value;
};

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}.%]/gu, "");

/** Hashes all happenings except talk, with markets and events by their ids. */
function digestWithout(options: Partial<WorldOptions>): string {
  const hash = createHash("sha256");
  const listener = (happening: Happening): void => {
    if (!isTalk(happening)) hash.update(JSON.stringify(happening, byId));
  };
  createWorld({ seed: 7, clock: () => NOON, ...SIZES, ...options, listener });
  return hash.digest("hex");
}

test("the amount of talk changes nothing else in the world", () => {
  const quiet = digestWithout({ talk: 0 });
  expect(digestWithout({ talk: 1 })).toBe(quiet);
  expect(digestWithout({ talk: 5 })).toBe(quiet);
});

test("the counts of posts always equal those of the happenings so far", () => {
  let now = NOON;
  const world = createWorld({ seed: 3, clock: () => now, ...SIZES, talk: 4 });
  const ledger = new TalkLedger();
  for (let step = 0; step < 6; step += 1) {
    now += 1_900_000;
    world.advanceTo(now);
    for (const happening of world.talk.slice(ledger.taken)) ledger.take(happening);
    const wrong = world.posts.filter((post) => {
      const { likes, reposts, replies, quotes } = post;
      const isSame = JSON.stringify(ledger.countsOf(post)) === JSON.stringify({ likes, reposts, replies, quotes });
      return !isSame || (post.deleted_ms !== null) !== ledger.isGone(post);
    });
    expect(wrong).toEqual([]);
  }
  expect(world.truth().removals).toBe(world.talk.filter(({ kind }) => kind === "removal").length);
});

describe("social posts", () => {
  let world: World;
  /** Number of the conditions of a post that were open when it was written. */
  const open = new Map<Post, number>();

  beforeAll(() => {
    let now = NOON;
    const sizes = { days: 0.05, events: 120, wallets: 60, kalshi_markets: 5, activity: 0.1, talk: 3 };
    world = createWorld({ seed: 7, clock: () => now, ...sizes });
    world.on((happening) => {
      if (happening.kind !== "post") return;
      const ids = happening.post.condition_ids;
      open.set(happening.post, ids.filter((id) => world.polymarket.market(id)?.closed === false).length);
    });
    now += 86_400_000;
    world.advanceTo(now);
  });

  test("come from four sources, many from one author, some with a declared time that is years off", () => {
    const { posts } = world;
    const shares = SOCIAL_SOURCES.map((source) => posts.filter((post) => post.source === source).length / posts.length);
    for (const [i, wanted] of [0.8, 0.08, 0.06, 0.06].entries()) expect(shares[i]).toBeCloseTo(wanted, 1);
    const authors = new Map<string, number>();
    for (const { did } of posts) authors.set(did, (authors.get(did) ?? 0) + 1);
    const counts = [...authors.values()].toSorted((left, right) => right - left);
    expect(counts[0]).toBeGreaterThan(5 * (counts[1] ?? 0));
    expect(authors.size).toBeGreaterThan(500);
    const years = posts.filter((post) => Math.abs(post.declared_ms - post.created_ms) > 300 * 86_400_000);
    expect(years.length / posts.length).toBeGreaterThan(0.004);
    expect(years.some((post) => post.declared_ms > post.created_ms)).toBe(true);
  });

  test("are in several languages and sometimes hostile", () => {
    const said = new Set(world.posts.flatMap(({ langs }) => langs));
    expect([...said].toSorted()).toEqual(["ar", "de", "en", "es", "fr", "ja", "ko", "pt"]);
    for (const trap of ["<script>", "DROP TABLE", "\u0000", "\u202E", "and on and on and on"]) {
      expect(
        world.posts.some(({ text }) => text.includes(trap)),
        trap,
      ).toBe(true);
    }
  });

  test("are about open markets, and name them as explicitly as their naming field claims", () => {
    const about = [...open.keys()].filter(({ condition_ids }) => condition_ids.length > 0);
    expect(about.filter((post) => open.get(post) !== post.condition_ids.length)).toEqual([]);
    expect(
      world.posts.filter(({ naming, condition_ids }) => (naming === "none") !== (condition_ids.length === 0)),
    ).toEqual([]);
    for (const { naming, text, condition_ids } of about) {
      const markets = condition_ids.map((id) => world.polymarket.market(id));
      const said = letters(text);
      const isSaid = markets.some((market) => {
        const { question = "", event, group_item_title = "" } = market ?? {};
        if (naming === "question") return [question, event?.title ?? ""].some((one) => said.includes(letters(one)));
        if (naming === "hint") return true;
        return [...namesIn(question).map((name) => name.text), group_item_title].every((one) =>
          said.includes(letters(one)),
        );
      });
      expect(isSaid, text).toBe(true);
    }
    const shares = ["question", "names", "hint", "none"].map(
      (naming) => world.posts.filter((post) => post.naming === naming).length / world.posts.length,
    );
    expect(Math.min(...shares)).toBeGreaterThan(0.05);
  });

  test("increase after price jumps, and more after larger ones", () => {
    const first = Math.min(...[...open.keys()].map(({ created_ms }) => created_ms));
    const jumps = world
      .jumps()
      .filter(({ venue, ms }) => venue === "polymarket" && ms > first && ms < NOON + 80_000_000);
    const after = jumps.map(({ ms, market, before_e4, after_e4 }) => ({
      size: Math.abs(after_e4 - before_e4),
      posts: world.posts.filter(
        (post) =>
          post.event_id !== null &&
          post.created_ms > ms &&
          post.created_ms < ms + 1_800_000 &&
          post.condition_ids.includes(market),
      ).length,
    }));
    const mean = (list: typeof after): number => list.reduce((sum, { posts }) => sum + posts, 0) / list.length;
    const large = after.filter(({ size }) => size > 1500);
    const small = after.filter(({ size }) => size < 300);
    expect(large.length).toBeGreaterThan(3);
    expect(mean(large)).toBeGreaterThan(5 * mean(small));
  });

  test("end with their account: a deleted account writes and likes no more", () => {
    const gone = new Map<string, number>();
    for (const each of world.talk) {
      if (each.kind === "account" && !each.active) gone.set(each.did, each.us);
      if (each.kind === "post") expect(gone.has(each.post.did)).toBe(false);
      if (each.kind === "reaction") expect(gone.has(each.reaction.did)).toBe(false);
    }
    expect(gone.size).toBeGreaterThan(2);
  });

  test("have keys as on Bluesky, and strictly increasing timestamps", () => {
    const own = world.posts.filter(({ source }) => source === "bluesky");
    expect(own.every(({ did }) => /^did:plc:[a-z2-7]{24}$/.test(did))).toBe(true);
    expect(own.every(({ rkey }) => /^[2-7a-z]{13}$/.test(rkey))).toBe(true);
    expect(own.every(({ cid }) => /^bafyrei[a-z2-7]{52}$/.test(cid))).toBe(true);
    expect(new Set(world.posts.map(({ source, rkey }) => `${source} ${rkey}`)).size).toBe(world.posts.length);
    expect(
      own.filter((post, i) => post.rkey <= (own[i - 1]?.rkey ?? "") && post.created_ms > (own[i - 1]?.created_ms ?? 0)),
    ).toEqual([]);
    expect(world.talk.filter(({ us }, i) => us <= (world.talk[i - 1]?.us ?? 0))).toEqual([]);
    expect(world.talk.filter(({ us, ms }) => Math.floor(us / 1000) !== ms)).toEqual([]);
  });
});
