import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { accountEvent, deleteEvent, identityEvent, postEvent, reactionEvent, uriOf } from "./event-frames.ts";
import { gatherBluesky, reachedBy, readSocial } from "./gather-bluesky.ts";
import { playJetstream } from "./play-jetstream.ts";

const [ANNA, BEN, CORA] = ["did:plc:anna", "did:plc:ben", "did:plc:cora"] as const;

let engines: Awaited<ReturnType<typeof openEngines>>;
let venue: Awaited<ReturnType<typeof playJetstream>>;
let ingest: ReturnType<typeof gatherBluesky>;
let start = 0;

beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());
beforeEach(async () => {
  for (const name of ["streams", "gaps", "notices", "parked"] as const) await engines.db.deleteFrom(name).execute();
  for (const name of ["social_posts", "social_posts_versions", "social_reactions", "social_removals"]) {
    await engines.store.run(fromDefinition(`TRUNCATE TABLE IF EXISTS ${name}`));
  }
  start = Date.now() - 60_000;
  venue = await playJetstream();
});
afterEach(async () => {
  await ingest.stop();
  await venue.close();
});

const post = (second: number, did: string, rkey: string, text: string, more: object = {}) =>
  postEvent({ ms: start + second * 1000, did, rkey, text, langs: ["en"], ...more });
const like = (second: number, rkey: string, subject: string, kind: "like" | "repost" = "like") =>
  reactionEvent(kind, { ms: start + second * 1000, did: BEN, rkey, subject });
/** Sends a later event and waits until the stream reaches it, by when everything before it is stored. */
const settle = async (second: number) => {
  venue.report(identityEvent(start + second * 1000, "did:plc:stranger", "stranger.example"));
  await expect.poll(() => reachedBy(ingest)).toBeGreaterThanOrEqual(start + second * 1000);
};
const nowSecond = () => (Date.now() - start) / 1000;
const gapsOf = () => engines.db.selectFrom("gaps").select(["from_at", "to_at", "reason"]).execute();

describe("Bluesky posts", () => {
  test("are stored with their reactions if they are in English or of unknown language", async () => {
    venue.report(
      identityEvent(start, ANNA, "anna.example"),
      post(1, ANNA, "3ka", "The cup is theirs"),
      like(1, "3kl1", uriOf(ANNA, "3ka")),
      like(2, "3kl2", uriOf("did:plc:far", "3kz")),
      like(3, "3kr1", uriOf(ANNA, "3ka"), "repost"),
      post(4, BEN, "3kb", "Nein, das glaube ich nicht", { langs: ["de"], answers: uriOf(ANNA, "3ka") }),
      post(5, BEN, "3kc", "Heute ist das Wetter in Hamburg wirklich schön", { langs: undefined }),
      post(6, BEN, "3kd", "lol 🚀", { langs: undefined, quotes: uriOf(ANNA, "3ka") }),
      post(7, CORA, "3ke", "Both of it", { langs: ["ja", "en-GB"] }),
    );
    ingest = gatherBluesky(engines, venue.url);
    await settle(8);
    const { posts, reactions, removals } = await readSocial(engines);
    expect(posts.map(({ id, username, lang }) => [id, username, lang])).toEqual([
      [uriOf(ANNA, "3ka"), "anna.example", "en"],
      [uriOf(BEN, "3kd"), BEN, ""],
      [uriOf(CORA, "3ke"), CORA, "en"],
    ]);
    expect(reactions.map(({ kind, id }) => [kind, id])).toEqual([
      ["like", uriOf(BEN, "3kl1", "like")],
      ["repost", uriOf(BEN, "3kr1", "repost")],
      ["reply", uriOf(BEN, "3kb")],
      ["quote", uriOf(BEN, "3kd")],
    ]);
    expect(removals).toEqual([]);
    expect(await gapsOf()).toEqual([]);
    expect(venue.requested[0]?.getAll("wantedCollections")).toHaveLength(3);
  });

  test("use the server's time, whatever creation time their authors declare", async () => {
    venue.report(
      post(1, ANNA, "3ka", "From long ago", { createdAt: "1999-12-31T00:00:00.000Z" }),
      post(2, ANNA, "3kb", "From the future", { createdAt: "2044-01-01T00:00:00Z" }),
      post(3, ANNA, "3kc", "From nowhen", { createdAt: "soon" }),
    );
    ingest = gatherBluesky(engines, venue.url);
    await settle(4);
    const { posts } = await readSocial(engines);
    expect(posts.map(({ ms, created }) => [Number(ms) - start, Number(created)])).toEqual([
      [1000, Date.UTC(1999, 11, 31)],
      [2000, start + 2000],
      [3000, start + 3000],
    ]);
  });

  test("are removed when they or their author's account are deleted, and reactions when they are undone", async () => {
    venue.report(
      post(1, ANNA, "3ka", "Gone soon"),
      like(2, "3kl1", uriOf(ANNA, "3ka")),
      deleteEvent("like", { ms: start + 3000, did: BEN, rkey: "3kl1" }),
      deleteEvent("like", { ms: start + 3000, did: BEN, rkey: "3kother" }),
      deleteEvent("post", { ms: start + 4000, did: ANNA, rkey: "3ka" }),
      deleteEvent("post", { ms: start + 4500, did: ANNA, rkey: "3kold" }),
      accountEvent(start + 5000, BEN, false, "takendown"),
      accountEvent(start + 6000, CORA, false, "throttled"),
      accountEvent(start + 7000, CORA, true),
    );
    ingest = gatherBluesky(engines, venue.url);
    await settle(8);
    const { removals } = await readSocial(engines);
    expect(removals.map(({ what, id, reason }) => [what, id, reason])).toEqual([
      ["record", uriOf(BEN, "3kl1", "like"), "deleted"],
      ["record", uriOf(ANNA, "3ka"), "deleted"],
      ["record", uriOf(ANNA, "3kold"), "deleted"],
      ["author", BEN, "account"],
    ]);
  });

  test("keep the time of their first version and take the text of the newest", async () => {
    venue.report(post(1, ANNA, "3ka", "First"));
    ingest = gatherBluesky(engines, venue.url);
    await settle(2);
    venue.report(post(3, ANNA, "3ka", "Second", { operation: "update" }));
    await settle(4);
    const { posts } = await readSocial(engines);
    expect(posts.map(({ ms, body }) => [Number(ms) - start, body])).toEqual([[1000, "Second"]]);
  });
});

describe("an edit", () => {
  test("of a reply does not count as another reply, whether the original is remembered or not", async () => {
    const answers = { answers: uriOf(ANNA, "3ka") };
    venue.report(post(1, ANNA, "3ka", "Followed"), post(2, BEN, "3kb", "An answer", answers));
    ingest = gatherBluesky(engines, venue.url);
    await settle(3);
    venue.report(
      post(4, BEN, "3kb", "The answer, put right", { ...answers, operation: "update" }),
      // The stream never saw its first version.
      post(5, CORA, "3kc", "An old answer, put right", { ...answers, operation: "update" }),
    );
    await settle(6);
    const { posts, reactions } = await readSocial(engines);
    expect(reactions.map(({ id }) => id)).toEqual([uriOf(BEN, "3kb")]);
    expect(posts.map(({ body }) => body)).toEqual(["Followed", "The answer, put right", "An old answer, put right"]);
  });
});

describe("the Bluesky stream", () => {
  test("still knows after a restart which posts it follows", async () => {
    venue.report(
      identityEvent(start, ANNA, "anna.example"),
      post(1, ANNA, "3ka", "Followed"),
      like(2, "3kl1", uriOf(ANNA, "3ka")),
    );
    ingest = gatherBluesky(engines, venue.url);
    await settle(20);
    await ingest.stop();
    venue.report(
      like(40, "3kl2", uriOf(ANNA, "3ka")),
      deleteEvent("like", { ms: start + 41_000, did: BEN, rkey: "3kl1" }),
      post(42, ANNA, "3kb", "Another"),
    );
    ingest = gatherBluesky(engines, venue.url);
    await settle(50);
    const { posts, reactions, removals } = await readSocial(engines);
    expect(posts.map(({ username }) => username)).toEqual(["anna.example", "anna.example"]);
    expect(reactions.map(({ id }) => id)).toEqual([uriOf(BEN, "3kl1", "like"), uriOf(BEN, "3kl2", "like")]);
    expect(removals.map(({ id }) => id)).toEqual([uriOf(BEN, "3kl1", "like")]);
  });

  test("loses and duplicates nothing over disconnects, repeats, reordering and a restart", async () => {
    ingest = gatherBluesky(engines, venue.url);
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const some = Array.from({ length: 10 }, (_, index) => round * 10 + index);
      const events = some.map((each) => post(each, ANNA, `3k${each}`, `Number ${each}`));
      ids.push(...some.map((each) => uriOf(ANNA, `3k${each}`)));
      venue.report(...events.slice(0, 5), ...events.slice(2, 6), ...events.slice(5).toReversed());
      if (round === 1) {
        await ingest.stop();
        ingest = gatherBluesky(engines, venue.url);
      } else venue.cut();
    }
    venue.report(like(41, "3kl1", uriOf(ANNA, "3k0")));
    await settle(42);
    const { posts, reactions } = await readSocial(engines);
    expect(posts.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(reactions).toHaveLength(1);
    expect(await gapsOf()).toEqual([]);
    const [raw] = await engines.store.rows<{ rows: string }>(
      fromDefinition("SELECT toString(count()) AS rows FROM social_posts"),
    );
    expect(raw?.rows).toBe("40");
  });

  test("records a gap if the server no longer has the events since the cursor", async () => {
    venue.report(post(1, ANNA, "3ka", "Before"));
    ingest = gatherBluesky(engines, venue.url);
    await settle(2);
    await ingest.stop();
    venue.forget(start + 30_000);
    venue.report(post(30, ANNA, "3kb", "After"));
    ingest = gatherBluesky(engines, venue.url);
    await settle(31);
    const [gap, ...others] = await gapsOf();
    expect(others).toEqual([]);
    expect(gap?.from_at).toEqual(new Date(start + 2000));
    expect(gap?.to_at).toEqual(new Date(start + 30_000));
    expect((await readSocial(engines)).posts).toHaveLength(2);
  });

  test("continues after an event stamped an hour ahead with the events that follow it", async () => {
    venue.report(post(1, ANNA, "3ka", "Before"));
    ingest = gatherBluesky(engines, venue.url);
    await settle(2);
    venue.report(post(3600, ANNA, "3kb", "From a server whose clock is ahead"));
    await expect.poll(async () => (await readSocial(engines)).posts.length).toBe(2);
    await settle(nowSecond());
    await ingest.stop();
    venue.report(post(nowSecond(), ANNA, "3kc", "While the service was stopped"));
    ingest = gatherBluesky(engines, venue.url);
    venue.report(post(3700, ANNA, "3kd", "Ahead again"));
    await expect.poll(async () => (await readSocial(engines)).posts.map(({ body }) => body)).toContain("Ahead again");
    expect((await readSocial(engines)).posts).toHaveLength(4);
    expect(await gapsOf()).toEqual([]);
  });

  test("reports failing while nothing arrives, and recovers when events arrive", async () => {
    venue.mute(true);
    ingest = gatherBluesky(engines, venue.url);
    await expect.poll(() => venue.listeners()).toBe(1);
    venue.cut();
    await expect.poll(async () => (await ingest.status()).streams[0]?.state).toBe("failing");
    venue.mute(false);
    venue.report(post(1, ANNA, "3ka", "Here again"));
    await settle(2);
    expect((await readSocial(engines)).posts).toHaveLength(1);
  });
});
