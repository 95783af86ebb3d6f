import { expect, test, vi } from "vitest";
import { pino } from "pino";
import type { LeftSpan } from "../../src/definition/spans.ts";
import { followIndex } from "../../src/serving/feed/follow-index.ts";

test("reports removed spans again, with later ones, to an index that failed to apply them", async () => {
  const reported: (readonly LeftSpan[])[] = [];
  const following = followIndex(
    {
      table: "fills",
      apply: async (left) => {
        reported.push(left);
        if (reported.length === 1) throw new Error("the store is away");
      },
      mark: () => 0,
      close: () => undefined,
    },
    pino({ level: "silent" }),
  );
  const [first, later] = [
    { from: 1, to: 2 },
    { from: 5, to: 6 },
  ];
  following.changed([first]);
  following.changed([later]);
  expect(following.isWhole()).toBe(false);
  await following.caughtUp();
  expect(following.isWhole()).toBe(true);
  expect(reported[0]).toEqual([first]);
  expect(reported.slice(1).flat()).toEqual(expect.arrayContaining([first, later]));
  await following.close();
});

test("reports any number of removed spans, also after a failure", async () => {
  const spans = Array.from({ length: 200_000 }, (_, index) => ({ from: index * 3, to: index * 3 + 1 }));
  const reported: (readonly LeftSpan[])[] = [];
  const following = followIndex(
    {
      table: "fills",
      apply: async (left) => {
        reported.push(left);
        if (reported.length === 1) throw new Error("the store is away");
      },
      mark: () => 0,
      close: () => undefined,
    },
    pino({ level: "silent" }),
  );
  following.changed(spans);
  await following.caughtUp();
  expect(reported.map(({ length }) => length)).toEqual([200_000, 200_000]);
  await following.close();
});

test("notes the index state right after the first change, then at most every five minutes, and on close", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let [applied, notedAt] = [0, [] as number[]];
    const following = followIndex(
      {
        table: "fills",
        apply: async () => void (applied += 1),
        note: async () => void notedAt.push(applied),
        mark: () => 0,
        close: () => undefined,
      },
      pino({ level: "silent" }),
    );
    for (let second = 0; second < 750; second += 1) {
      following.changed();
      await following.caughtUp();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(applied).toBe(750);
    expect(notedAt).toEqual([1, 300, 600]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(notedAt).toEqual([1, 300, 600, 750]);
    following.changed();
    await following.caughtUp();
    await following.close();
    expect(notedAt).toEqual([1, 300, 600, 750, 751]);
  } finally {
    vi.useRealTimers();
  }
});
