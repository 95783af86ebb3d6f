import { expect, test } from "vitest";
import { beside } from "../../src/definition/pacing.ts";

function* busy(steps: number, fails = false): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    for (const until = performance.now() + 4; performance.now() < until;);
    yield;
  }
  if (fails) throw new Error("no result");
  return "result";
}

test("lets other work of the process run during a long computation", async () => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  const result = await beside(busy(30));
  clearInterval(others);
  expect(result).toBe("result");
  expect(turns).toBeGreaterThan(4);
});

test("throws the error of a failed computation", async () => {
  await expect(beside(busy(1, true))).rejects.toThrow("no result");
});

test("runs one step of concurrent long computations per round of the event loop, in rotation", async () => {
  const went: number[] = [];
  function* long(mine: number): Generator<void, number> {
    for (let step = 0; step < 4; step += 1) {
      for (const until = performance.now() + 6; performance.now() < until;);
      went.push(mine);
      yield;
    }
    return mine;
  }
  const rounds: number[] = [];
  let isOver = false;
  const look = (): void => {
    rounds.push(went.length);
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const results = await Promise.all([0, 1, 2, 3, 4].map((mine) => beside(long(mine))));
  isOver = true;
  expect(results).toEqual([0, 1, 2, 3, 4]);
  expect(went).toEqual([0, 1, 2, 3].flatMap(() => [0, 1, 2, 3, 4]));
  expect(Math.max(...rounds.map((seen, index) => seen - (rounds[index - 1] ?? 0)))).toBe(1);
});
