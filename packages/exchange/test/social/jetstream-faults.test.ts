import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Line, openLine, type OpenStorm, openStorm } from "../faults/open-storm.ts";
import { type Frame, named } from "./jetstream-line.ts";
import { isOfBluesky } from "./jetstream-world.ts";

let storm: OpenStorm;
const lines: Line[] = [];

beforeAll(async () => {
  storm = await openStorm();
});
afterEach(async () => {
  for (const line of lines.splice(0)) line.socket.terminate();
  await storm.clear();
});
afterAll(() => storm.exchange.close());

const injected = async () => (await storm.status()).injected;
const published = () => storm.exchange.world.talk.filter(isOfBluesky);

async function open(): Promise<Line> {
  const line = await openLine(`${storm.exchange.urls.jetstream_url}?cursor=1`);
  lines.push(line);
  return line;
}

const isStranger = (text: string): boolean => text.includes('"handle":"stranger');
const isLike = (name: string): boolean => name.startsWith("create app.bsky.feed.like");

/** Returns the frames of a complete replay; the frames of strangers come after it. */
async function replay(faults: object[]): Promise<string[]> {
  await storm.set(faults);
  const line = await open();
  await expect.poll(() => line.texts.some(isStranger)).toBe(true);
  // An open connection would use up some of the faults meant for the next one.
  line.socket.terminate();
  await expect.poll(() => line.closed).toBeDefined();
  return line.texts.slice(0, line.texts.findIndex(isStranger));
}

const read = (texts: string[]): Frame[] => texts.map((text) => JSON.parse(text) as Frame);
const names = (texts: string[]): string[] => read(texts).map(named);
let plain: string[];

test("a replay without faults is complete", async () => {
  plain = await replay([]);
  const last = published().at(-1)?.us ?? 0;
  expect(
    read(plain)
      .filter(({ time_us }) => time_us <= last)
      .map(({ time_us }) => time_us),
  ).toEqual(published().map(({ us }) => us));
});

test("frames are dropped by collection and operation, duplicated, reordered and cut in half", async () => {
  const past = (texts: string[]): string[] => names(texts).slice(0, published().length);
  const endpoint = "jetstream";
  const left = names(await replay([{ kind: "drop_frames", endpoint, path: "commit.app.bsky.feed.like.create" }]));
  expect(left.slice(0, 300)).toEqual(
    past(plain)
      .filter((name) => !isLike(name))
      .slice(0, 300),
  );
  const twice = await replay([{ kind: "duplicate_frames", endpoint, count: 50 }]);
  expect(twice.slice(0, 100).every((text, i) => text === twice[i - (i % 2)])).toBe(true);
  const [second, first] = read(await replay([{ kind: "reorder_frames", endpoint, count: 1 }]));
  expect([first, second].map((frame) => frame?.time_us)).toEqual(
    published()
      .slice(0, 2)
      .map(({ us }) => us),
  );
  const [half, ...whole] = await replay([{ kind: "corrupt_frame", endpoint, count: 1 }]);
  expect(plain[0]?.startsWith(half ?? "?")).toBe(true);
  expect(whole[0]).toBe(plain[1]);
  expect((await injected()).corrupt_frame).toEqual({ jetstream: 1 });
});

test("drift renames a field of a record, and skew shifts time_us", async () => {
  const first = read(
    await replay([
      { kind: "drift", endpoint: "jetstream", field: "commit.record.text", change: "rename", to: "body", count: 20 },
      { kind: "skew", endpoint: "jetstream", offset_seconds: -3600 },
    ]),
  ).find(({ commit }) => commit?.collection === "app.bsky.feed.post");
  const post = published().find(({ kind }) => kind === "post");
  expect(first?.commit?.record).toMatchObject({ body: post?.kind === "post" ? post.post.text : "" });
  expect(first?.commit?.record).not.toHaveProperty("text");
  expect(first?.time_us).toBe((post?.us ?? 0) - 3_600_000_000);
});

test("freeze silences an open connection until it is cleared; cut, refuse and restart apply to it too", async () => {
  await storm.set([{ kind: "freeze", endpoint: "jetstream" }]);
  const line = await open();
  line.socket.ping();
  await expect.poll(injected).toEqual({ freeze: { jetstream: 1 } });
  expect([line.texts, line.pongs]).toEqual([[], 0]);
  await storm.clear();
  await expect.poll(() => line.texts.length).toBeGreaterThan(0);
  await storm.set([{ kind: "cut", endpoint: "jetstream", code: 1013 }]);
  await expect.poll(() => line.closed).toBe(1013);
  await storm.set([{ kind: "refuse", endpoint: "jetstream" }]);
  expect((await open()).error).toContain("429");
  await storm.set([{ kind: "restart", endpoint: "jetstream", down_seconds: 0.5 }]);
  await expect.poll(injected).toEqual({ restart: { jetstream: 1 } });
  expect((await open()).error).toContain("ECONNREFUSED");
  await expect.poll(async () => (await open()).error).toBeUndefined();
});
