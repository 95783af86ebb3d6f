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
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  const result = await beside(busy(30));
  clearInterval(others);
  expect(result).toBe("result");
  expect(turns).toBeGreaterThan(4);
});

test("what goes wrong in it is thrown", async () => {
  await expect(beside(busy(1, true))).rejects.toThrow("no result");
});
