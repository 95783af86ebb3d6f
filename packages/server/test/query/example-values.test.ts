import { afterEach, expect, test, vi } from "vitest";
import { EXAMPLE_SAMPLE } from "../../src/definition/example-values.ts";
import type { Answer, Ask } from "../../src/query/answer.ts";
import { keepExampleValues } from "../../src/query/find-example-values.ts";

const answerOf = (rows: readonly object[]): Answer => ({ body: Buffer.from(JSON.stringify(rows)) }) as Answer;
const never = new Promise<Answer>(() => undefined);

afterEach(() => vi.useRealTimers());

test("values of the sample are told where the engine is busy for long", async () => {
  vi.useFakeTimers();
  const values = keepExampleValues(() => never, Date.now)();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await values).toEqual(EXAMPLE_SAMPLE.values);
});

test("values that were found are told at once while others are looked for", async () => {
  let now = 0;
  let isBusy = false;
  let looked = 0;
  const ask: Ask = async () => {
    looked += 1;
    return isBusy ? await never : answerOf([{ slug: "found" }]);
  };
  const values = keepExampleValues(ask, () => now);
  expect(await values()).toMatchObject({ tag: "found" });
  isBusy = true;
  const before = looked;
  now += 60_001;
  expect(await values()).toMatchObject({ tag: "found" });
  expect(looked).toBeGreaterThan(before);
});
