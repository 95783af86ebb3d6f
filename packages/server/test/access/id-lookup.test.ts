import { expect, test } from "vitest";
import { openKeys } from "../../src/access/access.ts";
import { openIdLookup } from "../../src/access/id-lookup.ts";

/** Answers the look-up of the id "known" immediately and holds all others until `answer` is called. */
function openHeld(): { find: (id: string) => Promise<string | undefined>; requested: string[][]; answer: () => void } {
  const requested: string[][] = [];
  const over = Promise.withResolvers<void>();
  const find = openIdLookup<string>(100, async (ids) => {
    requested.push([...ids]);
    if (!ids.includes("known")) await over.promise;
    return new Map(ids.filter((id) => id === "known" || id === "new").map((id) => [id, `${id}'s`]));
  });
  return { find, requested, answer: over.resolve };
}

test("rejects unknown keys that wait too long without logging an error, and still finds known keys", async () => {
  const { find, requested, answer } = openHeld();
  expect(await find("known")).toBe("known's");
  const first = find("a");
  await expect.poll(() => requested).toEqual([["known"], ["a"]]);
  const second = find("b");
  await expect.poll(() => requested).toEqual([["known"], ["a"], ["b"]]);
  const { verify } = openKeys({
    verify: async (token) => {
      await find(token);
      return undefined;
    },
    forget: () => undefined,
    lookAgain: () => undefined,
  });
  const refused = await verify("late").catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
  expect((refused as Error).cause).toBeUndefined();
  expect(await find("known")).toBe("known's");
  answer();
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
});

test("looks up waiting unknown keys together, a hundred at a time, and gives each its own answer", async () => {
  const { find, requested, answer } = openHeld();
  const first = ["a", "b"].map(async (id) => await find(id));
  await expect.poll(() => requested).toEqual([["a", "b"]]);
  const second = find("c");
  await expect.poll(() => requested.length).toBe(2);
  const waiting = Array.from({ length: 150 }, (_, index) => find(index === 120 ? "new" : `${index}`));
  answer();
  const answers = await Promise.all([...first, second, ...waiting]);
  expect(requested.map(({ length }) => length)).toEqual([2, 1, 100, 50]);
  expect(answers.flatMap((found, index) => (found === undefined ? [] : [index, found]))).toEqual([123, "new's"]);
});
