import { afterEach, expect, test } from "vitest";
import { type Line, openLine } from "./jetstream-line.ts";
import { isOfBluesky, type JetstreamScene, openScene } from "./jetstream-world.ts";

const DAY_US = 86_400_000_000;
const open: (JetstreamScene | Line)[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) {
    if ("socket" in each) each.socket.terminate();
    else await each.close();
  }
});

async function sceneOf(...given: Parameters<typeof openScene>): Promise<JetstreamScene> {
  const scene = await openScene(...given);
  open.push(scene);
  return scene;
}

function lineOf(url: string, query: Record<string, string> = {}): Line {
  const line = openLine(url, query);
  open.push(line);
  return line;
}

test("a replay reaches back one day and no further", async () => {
  const scene = await sceneOf({ days: 1.5, talk: 1 });
  const published = scene.world.talk.filter(isOfBluesky).map(({ us }) => us);
  const kept = published.filter((us) => us >= scene.world.reached() * 1000 - DAY_US);
  expect(kept.length).toBeLessThan(published.length);
  const line = lineOf(scene.url, { cursor: String(published[0]) });
  await expect.poll(() => line.frames.length).toBe(kept.length);
  expect(line.frames.map(({ time_us }) => time_us)).toEqual(kept);
  scene.pass(3_600_000);
  await expect.poll(() => line.frames.at(-1)?.time_us).toBe(scene.world.talk.findLast(isOfBluesky)?.us);
});

test("the stream continues while the world is paused, and a replay from a cursor returns the same frames", async () => {
  const scene = await sceneOf({ days: 0.1 }, 5);
  const live = lineOf(scene.url);
  await expect.poll(() => live.frames.length).toBeGreaterThan(10);
  const before = scene.world.talk.length;
  scene.pass(10 * 60_000);
  const news = scene.world.talk.slice(before).filter(isOfBluesky);
  const last = news.at(-1)?.us ?? 0;
  await expect.poll(() => live.frames.at(-1)?.time_us).toBeGreaterThan(last);
  const times = live.frames.map(({ time_us }) => time_us);
  expect(times.every((us, i) => i === 0 || us > (times[i - 1] ?? 0))).toBe(true);
  // The frames of the world keep their own timestamps.
  expect(times).toEqual(expect.arrayContaining(news.map(({ us }) => us)));
  const received = live.frames.slice(5, -1);
  const replay = lineOf(scene.url, { cursor: String(received[0]?.time_us) });
  await expect.poll(() => replay.frames.length).toBeGreaterThan(received.length);
  expect(replay.frames.slice(0, received.length)).toEqual(received);
});
