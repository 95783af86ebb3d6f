import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendRows } from "../../fixtures/append-rows.ts";
import { forget } from "../../../src/derivations/social-retention/forget.ts";
import { oldSweep } from "../../../src/derivations/social-retention/drop-old.ts";
import { unmatchedSweep } from "../../../src/derivations/social-retention/drop-unmatched.ts";
import { eraseRemoved } from "../../../src/derivations/social-retention/erase-removed.ts";
import { applyMasks } from "../../../src/derivations/social-retention/social-sweeps.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { socialPost } from "../../fixtures/social-rows.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2025, 8, 30, 12);
const iso = (ms: number): string => new Date(ms).toISOString();
const CONDITION = `0x${"7".repeat(64)}`;

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store);
});
afterAll(() => store.close());

const TABLES = [
  "social_posts",
  "social_posts_versions",
  "social_mentions",
  "social_mentions_by_post",
  "social_reactions",
];
const put = (name: string, rows: readonly InsertRow[]) => store.insert(table(name), rows);
const count = async (name: string, where: string): Promise<number> => {
  const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${name} WHERE ${where}`));
  return Number(row?.n);
};
/** Number of rows that refer to a post, per table. */
const kept = (id: string) =>
  Promise.all(TABLES.map((name) => count(name, `${name.startsWith("social_posts") ? "id" : "post_id"} = '${id}'`)));

const mention = (id: string, at: number, author = "did:plc:kept"): InsertRow => ({
  condition_id: CONDITION,
  ts: iso(at),
  source: "bluesky",
  post_id: id,
  author,
  event_slug: "e",
  term: "t",
  is_gone: false,
});
/** A post with an older version, a mention and a like. */
async function store1(id: string, at: number, more: { author?: string; isMentioned?: boolean } = {}): Promise<void> {
  const { author = "did:plc:kept", isMentioned = true } = more;
  const row = socialPost(0, { id, ts: iso(at), created_on: iso(at), author, body: `retained ${id}` });
  await put("social_posts", [row]);
  await put("social_posts", [{ ...row, like_count: 1 }]);
  if (isMentioned) await put("social_mentions", [mention(id, at, author)]);
  await put("social_reactions", [
    { source: "bluesky", post_id: id, kind: "like", ts: iso(at + 1000), id: `at://did:plc:fan/like/${id}` },
  ]);
}

/** The times before which rows were announced to be removed. */
const gone: number[] = [];
const turn = (through: number | undefined = Date.now()) => ({
  now: NOW,
  derivedThrough: () => Promise.resolve(through),
  removing: (goneBefore: number) => Promise.resolve(void gone.push(goneBefore)),
  signal: new AbortController().signal,
});
const GONE = [0, 0, 0, 0, 0];
const BLUESKY = { streams: ["bluesky-posts"], nowMs: NOW };
/** A raw frame. */
const payload = (stream: string, body: string): InsertRow => ({
  ts: iso(Date.now()),
  host: "h",
  stream,
  route: "r",
  path: "/",
  status: 0,
  kind: "frame",
  body,
});
/** A frame that contains a post of `did:plc:one`. */
const postFrame = (rkey: string) => payload("bluesky-posts", `{"did":"did:plc:one","commit":{"rkey":"${rkey}"}}`);

describe("retention", () => {
  test("drops posts about no market after their hours, once matching has processed them; keeps the others", async () => {
    const [old, recent] = [NOW - 10 * DAY, NOW - DAY];
    await store1("unmatched-old", old, { isMentioned: false });
    await store1("matched-old", old + 5);
    await store1("unmatched-new", recent, { isMentioned: false });
    expect(await unmatchedSweep(168).sweep(store, turn(NOW - 20 * DAY))).toEqual({ rows: 0, isDone: true });
    expect((await kept("unmatched-old"))[0]).toBeGreaterThan(0);
    // Matching has run up to an hour ago: later rows are not matched yet, however old their posts are.
    expect(await unmatchedSweep(168).sweep(store, turn(Date.now() - 3_600_000))).toEqual({ rows: 0, isDone: true });
    const swept = await unmatchedSweep(168).sweep(store, turn());
    expect(swept).toMatchObject({ isDone: true });
    expect(gone.splice(0)).toEqual([NOW - 7 * DAY]);
    expect(await kept("unmatched-old")).toEqual(GONE);
    expect((await kept("matched-old")).every((rows) => rows > 0)).toBe(true);
    expect((await kept("unmatched-new"))[0]).toBeGreaterThan(0);
    expect(await unmatchedSweep(168).sweep(store, turn())).toEqual({ rows: 0, isDone: true });
    expect(gone).toEqual([]);
  });

  test("drops all posts older than the retention days, with mentions, reactions and removals", async () => {
    await store1("ancient", NOW - 40 * DAY);
    await put("social_removals", [
      { source: "bluesky", what: "record", id: "told", ts: iso(NOW - 40 * DAY), reason: "deleted" },
      { source: "bluesky", what: "record", id: "asked-for", ts: iso(NOW - 40 * DAY), reason: "request" },
    ]);
    await oldSweep(30).sweep(store, turn());
    expect(gone.splice(0)).toEqual([Date.UTC(2025, 7, 31)]);
    const [posts, , ...others] = await kept("ancient");
    expect([posts, ...others]).toEqual([0, 0, 0, 0]);
    expect(await count("social_removals", "id IN ('told', 'asked-for')")).toBe(1);
    expect((await kept("matched-old"))[0]).toBeGreaterThan(0);
    expect(await oldSweep(30).sweep(store, turn())).toEqual({ rows: 0, isDone: true });
    expect(gone).toEqual([]);
  });
});

describe("erasure of removed posts", () => {
  test("deletes removed rows from every table, including later arrivals, and then from the disk", async () => {
    await store1("erased", NOW - DAY);
    await store1("of-author", NOW - DAY, { author: "did:plc:left" });
    await store1("after-return", NOW - 1000, { author: "did:plc:left" });
    await store1("stays", NOW - DAY);
    await put("social_removals", [
      { source: "bluesky", what: "record", id: "erased", ts: iso(NOW), reason: "deleted" },
      { source: "bluesky", what: "author", id: "did:plc:left", ts: iso(NOW - 5000), reason: "account" },
      { source: "bluesky", what: "record", id: "comes-later", ts: iso(NOW), reason: "deleted" },
      { source: "bluesky", what: "record", id: "at://did:plc:fan/like/stays", ts: iso(NOW), reason: "deleted" },
    ]);
    await eraseRemoved(store);
    expect(await kept("erased")).toEqual(GONE);
    expect(await kept("of-author")).toEqual(GONE);
    expect((await kept("after-return"))[0]).toBeGreaterThan(0);
    expect((await kept("stays")).at(-1)).toBe(0);
    await store1("comes-later", NOW - DAY);
    const params = { keywords: "retained", as_of: iso(NOW), hours_back: "48" };
    expect((await query.rows(585, { params })).map(({ id }) => id)).not.toContain("comes-later");
    await eraseRemoved(store);
    expect(await kept("comes-later")).toEqual(GONE);
    const { written } = await applyMasks(store, { most: 100 });
    expect(written).toBeGreaterThan(0);
    expect(await count("system.parts", "active AND startsWith(table, 'social_') AND has_lightweight_delete")).toBe(0);
    expect((await kept("stays"))[0]).toBeGreaterThan(0);
  });

  test("deletes mentions that were written after their post was erased", async () => {
    const late = [
      mention("erased", NOW - DAY),
      mention("of-author", NOW - DAY, "did:plc:left"),
      mention("after-return", NOW - 1000, "did:plc:left"),
    ];
    await put(
      "social_mentions",
      late.map((row) => Object.assign({}, row, { term: "late" })),
    );
    expect((await kept("erased"))[3]).toBe(1);
    expect(await eraseRemoved(store)).toEqual({ rows: 2, isDone: true });
    expect(await kept("erased")).toEqual(GONE);
    expect(await kept("of-author")).toEqual(GONE);
    expect((await kept("after-return"))[3]).toBeGreaterThan(0);
  });

  test("deletes what is removed after the clock was set back by a day, and hides it from then on", async () => {
    await put("social_erasures", [{ through: iso(Date.now() + DAY), erased: 0 }]);
    await store1("set-back", NOW - DAY);
    await put("social_removals", [
      { source: "bluesky", what: "record", id: "set-back", ts: iso(NOW), reason: "deleted" },
    ]);
    await eraseRemoved(store);
    expect(await kept("set-back")).toEqual(GONE);
    await store1("set-back", NOW - DAY);
    const params = { keywords: "retained", as_of: iso(NOW), hours_back: "48" };
    expect((await query.rows(585, { params })).map(({ id }) => id)).not.toContain("set-back");
    await eraseRemoved(store);
    expect(await kept("set-back")).toEqual(GONE);
  });

  test("reads only newer removals once all earlier ones are carried out", async () => {
    await store.insert(table("social_erasures"), [{ through: iso(Date.now() + 1000), erased: 0 }]);
    await store.insert(table("social_removals"), []);
    expect(await eraseRemoved(store)).toEqual({ rows: 0, isDone: true });
    await store.run(fromDefinition("TRUNCATE TABLE social_erasures"));
  });
});

describe("an erasure request", () => {
  test("erases an author immediately, including anything of theirs that arrives later", async () => {
    await store1("mine", NOW - DAY, { author: "did:plc:me" });
    await store1("theirs", NOW - DAY);
    await put("social_reactions", [
      { source: "bluesky", post_id: "theirs", kind: "like", ts: iso(NOW), id: "at://did:plc:me/like/1" },
    ]);
    await appendRows(store, table("raw_payloads"), [
      payload("bluesky-posts", '{"did":"did:plc:me"}'),
      payload("bluesky-posts", '{"did":"did:plc:kept","text":"of did:plc:me"}'),
      payload("polymarket-events", '{"title":"did:plc:me"}'),
    ]);
    const requested = { what: "author", id: "did:plc:me", sources: ["bluesky"] } as const;
    expect(await forget(store, requested, BLUESKY)).toEqual({ posts: 1, reactions: 1, rawPayloads: 1 });
    expect(await kept("mine")).toEqual(GONE);
    expect(await count("raw_payloads", "1")).toBe(2);
    expect(await count("social_reactions", "post_id = 'theirs'")).toBe(1);
    await store1("mine-later", NOW - 1000, { author: "did:plc:me" });
    const params = { keywords: "retained", as_of: iso(NOW), hours_back: "48" };
    expect((await query.rows(585, { params })).map(({ id }) => id)).not.toContain("mine-later");
    await eraseRemoved(store);
    expect(await kept("mine-later")).toEqual(GONE);
    expect(await forget(store, requested, BLUESKY)).toEqual({ posts: 0, reactions: 0, rawPayloads: 0 });
  });

  test("erases one post", async () => {
    const id = "at://did:plc:one/app.bsky.feed.post/3kone";
    await store1(id, NOW - DAY);
    await appendRows(store, table("raw_payloads"), [postFrame("3kone"), postFrame("3ktwo")]);
    const requested = { what: "post", id, sources: ["bluesky", "hackernews"] } as const;
    expect(await forget(store, requested, BLUESKY)).toMatchObject({ posts: 1, rawPayloads: 1 });
    expect(await kept(id)).toEqual(GONE);
    expect(await count("raw_payloads", "position(body, '3ktwo') > 0")).toBe(1);
  });
});
