import { expect, test } from "vitest";
import { beside } from "../../src/definition/beside.ts";

function* busy(steps: number, fails = false): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    for (const until = performance.now() + 4; performance.now() < until;);
    yield;
  }
  if (fails) throw new Error("no result");
  return "result";
}

test("other work of the process is let in while a long computation lasts", async () => {
  const working = beside(busy(30));
  let [isOver, turns] = [false, 0];
  const over = working.then(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await over;
  expect(turns).toBeGreaterThan(4);
  expect(await working).toBe("result");
});

test("what goes wrong in it is thrown", async () => {
  await expect(beside(busy(1, true))).rejects.toThrow("no result");
});
