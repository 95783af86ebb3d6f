import { expect, test } from "vitest";
import { restThread, takeThread } from "../../../src/derivations/wallet-score/scores-of-days.ts";

test("reuses an idle thread, for one day at a time", async () => {
  const first = takeThread();
  const second = takeThread();
  expect(second).not.toBe(first);
  restThread(first);
  expect(takeThread()).toBe(first);
  const third = takeThread();
  expect(third).not.toBe(first);
  await Promise.all([first, second, third].map((thread) => thread.terminate()));
});
