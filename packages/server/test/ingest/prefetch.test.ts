import { expect, test } from "vitest";
import { prefetch } from "../../src/ingest/backfill-walk.ts";

/** Yields numbers from 1 and records the events in order. */
function counting(fails = Number.POSITIVE_INFINITY) {
  const reported: string[] = [];
  async function* count(): AsyncGenerator<number, void, void> {
    try {
      for (let next = 1; next <= 4; next += 1) {
        reported.push(`made ${next}`);
        if (next === fails) throw new Error(`no ${next}`);
        yield next;
      }
    } finally {
      reported.push("left");
    }
  }
  return { reported, ahead: prefetch(count()) };
}

const aTick = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("fetches at most the next item while one is processed", async () => {
  const { reported, ahead } = counting();
  for await (const item of ahead) {
    await aTick();
    reported.push(`used ${item}`);
  }
  expect(reported).toEqual(["made 1", "made 2", "used 1", "made 3", "used 2", "made 4", "used 3", "left", "used 4"]);
});

test("throws an error after the items before it", async () => {
  const { reported, ahead } = counting(3);
  const used: number[] = [];
  const using = async (): Promise<void> => {
    for await (const item of ahead) {
      await aTick();
      used.push(item);
    }
  };
  await expect(using()).rejects.toThrow("no 3");
  expect([used, reported]).toEqual([
    [1, 2],
    ["made 1", "made 2", "made 3", "left"],
  ]);
});

test("closes the source when the consumer stops or throws", async () => {
  const first = counting();
  for await (const item of first.ahead) if (item === 2) break;
  expect(first.reported).toEqual(["made 1", "made 2", "made 3", "left"]);
  const second = counting();
  const failing = async (): Promise<void> => {
    for await (const item of second.ahead) throw new Error(`cannot store ${item}`);
  };
  await expect(failing()).rejects.toThrow("cannot store 1");
  expect(second.reported).toEqual(["made 1", "made 2", "left"]);
});
