import { expect, test } from "vitest";
import { pino } from "pino";
import type { LeftSpan } from "../../src/definition/left-span.ts";
import { followIndex } from "../../src/serving/feed/follow-index.ts";

test("what was taken away is told again to an index that could not apply it, with what came since", async () => {
  const told: (readonly LeftSpan[])[] = [];
  const following = followIndex(
    {
      table: "fills",
      apply: async (left) => {
        told.push(left);
        if (told.length === 1) throw new Error("the store is away");
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
  expect(told[0]).toEqual([first]);
  expect(told.slice(1).flat()).toEqual(expect.arrayContaining([first, later]));
  await following.close();
});
