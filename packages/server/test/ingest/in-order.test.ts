import { expect, test } from "vitest";
import { inOrder } from "../../src/ingest/concurrency.ts";

type Item = { readonly name: string; readonly after: readonly string[] };
const waitsFor = (one: Item, { name }: Item): boolean => one.after.includes(name);

test("orders each item after those it waits for, and rejects items that wait for each other", () => {
  const [a, b, c] = [
    { name: "a", after: ["b"] },
    { name: "b", after: ["c", "elsewhere"] },
    { name: "c", after: [] },
  ];
  expect(inOrder([a, b, c], waitsFor).map(({ name }) => name)).toEqual(["c", "b", "a"]);
  expect(() => inOrder([a, { name: "b", after: ["a"] }], waitsFor)).toThrow(TypeError);
});
