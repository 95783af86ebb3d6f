import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { foldFrames } from "./fold-frames.ts";
import { type Frame, type Line, named, openLine } from "./jetstream-line.ts";
import { isOfBluesky, type JetstreamScene, openScene } from "./jetstream-world.ts";

let scene: JetstreamScene;
const lines: Line[] = [];

beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => scene.close());
afterEach(() => {
  for (const line of lines.splice(0)) line.socket.terminate();
});

function open(query: Record<string, string | string[]> = {}, url: string = scene.url): Line {
  const line = openLine(url, query);
  lines.push(line);
  return line;
}

/** Every frame up to the last one the world has published by now. */
async function whole(line: Line): Promise<Frame[]> {
  const last = published().at(-1);
  await expect.poll(() => line.frames.at(-1)?.time_us).toBe(last);
  return line.frames;
}

const published = (): number[] => scene.world.talk.filter(isOfBluesky).map(({ us }) => us);
const refused = (query: Record<string, string | string[]>): Promise<string> => open(query).refused;
const opened = (line: Line): Promise<void> => new Promise((resolve) => line.socket.once("open", () => resolve()));

test("a replay from the beginning contains everything that happened on Bluesky, once and in order", async () => {
  const frames = await whole(open({ cursor: "0" }));
  expect(frames.map(({ time_us }) => time_us)).toEqual(published());
  expect(frames.every(({ time_us }, i) => i === 0 || time_us > (frames[i - 1]?.time_us ?? 0))).toBe(true);
  const posts = frames.filter((frame) => named(frame).startsWith("create app.bsky.feed.post"));
  const written = scene.world.posts.filter(({ source }) => source === "bluesky");
  expect(posts.map(({ did, commit }) => [did, commit?.rkey, commit?.cid, commit?.record?.text])).toEqual(
    written.map(({ did, rkey, cid, text }) => [did, rkey, cid, text]),
  );
  expect(
    new Set(frames.map((frame) => `${frame.kind} ${frame.commit?.operation} ${frame.commit?.collection}`)),
  ).toEqual(
    new Set([
      "commit create app.bsky.feed.post",
      "commit delete app.bsky.feed.post",
      "commit create app.bsky.feed.like",
      "commit delete app.bsky.feed.like",
      "commit create app.bsky.feed.repost",
      "commit delete app.bsky.feed.repost",
      "identity undefined undefined",
      "account undefined undefined",
    ]),
  );
});

test("folding the frames yields every undeleted post with its counts, despite deleted posts and accounts", async () => {
  const frames = await whole(open({ cursor: "0" }));
  const standing = scene.world.posts.filter((post) => post.source === "bluesky" && post.deleted_ms === null);
  expect(scene.world.posts.some(({ deleted_by }) => deleted_by === "account")).toBe(true);
  expect(scene.world.posts.some(({ deleted_by }) => deleted_by === "author")).toBe(true);
  const truth = standing.map(({ did, rkey, text, likes, reposts, replies, quotes }) => [
    `at://${did}/app.bsky.feed.post/${rkey}`,
    { text, likes, reposts, replies, quotes },
  ]);
  expect([...foldFrames(frames)]).toEqual(truth);
});

test("a delete has no record; replies, quotes, tags and links are marked as on Bluesky", async () => {
  const commits = (await whole(open({ cursor: "0" }))).flatMap(({ commit }) => commit ?? []);
  const deletes = commits.filter(({ operation }) => operation === "delete");
  expect(deletes.every((commit) => !("record" in commit) && !("cid" in commit) && commit.rev.length === 13)).toBe(true);
  const records = commits.flatMap(({ record }) => (record?.["$type"] === "app.bsky.feed.post" ? record : []));
  expect(records.some(({ reply }) => reply !== undefined)).toBe(true);
  const embeds = records.flatMap(({ embed }) => (embed as { $type: string } | undefined)?.$type ?? []);
  expect(new Set(embeds)).toEqual(new Set(["app.bsky.embed.record", "app.bsky.embed.external"]));
  for (const { text, facets } of records as { text: string; facets?: Facet[] }[]) {
    for (const { index, features } of facets ?? []) {
      const part = Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString();
      expect([`#${features[0]?.tag}`, features[0]?.uri]).toContain(part);
    }
  }
  const marked = (records as { facets?: Facet[] }[]).flatMap(({ facets }) => facets?.[0]?.features[0]?.$type ?? []);
  expect(new Set(marked)).toEqual(new Set(["app.bsky.richtext.facet#tag", "app.bsky.richtext.facet#link"]));
});
type Facet = {
  index: { byteStart: number; byteEnd: number };
  features: { $type: string; tag?: string; uri?: string }[];
};

test("a cursor starts at its own event; without one, or with a future one, the next event comes first", async () => {
  const before = published();
  const middle = before[Math.floor(before.length / 2)] as number;
  const rest = await whole(open({ cursor: String(middle) }));
  expect(rest.map(({ time_us }) => time_us)).toEqual(before.filter((us) => us >= middle));
  const live = [open(), open({ cursor: String((scene.world.reached() + 3_600_000) * 1000) })];
  await Promise.all(live.map(opened));
  scene.pass(20 * 60_000);
  const after = published().slice(before.length);
  expect(after.length).toBeGreaterThan(20);
  for (const line of live) expect((await whole(line)).map(({ time_us }) => time_us)).toEqual(after);
});

test("collections are filtered by name; account frames are always sent", async () => {
  const all = (await whole(open({ cursor: "0" }))).map(named);
  const likes = open({ cursor: "0", wantedCollections: ["app.bsky.feed.like", "com.example.other"] });
  const expected = all.filter((name) => name.includes("feed.like") || !name.includes(" "));
  await expect.poll(() => likes.frames.length).toBe(expected.length);
  expect(likes.frames.map(named)).toEqual(expected);
});

test("invalid parameters and options that are not simulated are rejected with 400", async () => {
  expect(await refused({ compress: "true" })).toMatch(/^400 .*compress/);
  expect(await refused({ cursor: "yesterday" })).toMatch(/^400 .*invalid cursor/);
  expect(await refused({ wantedDids: "nobody" })).toMatch(/^400 .*wantedDids/);
  const many = Array.from({ length: 101 }, (_, i) => `app.bsky.feed.a${i}`);
  expect(await refused({ wantedCollections: many })).toMatch(/^400 .*too many wanted collections/);
  expect(await refused({ wantedCollections: "app.bsky.fe*" })).toMatch(/^400 .*invalid collection/);
});
