import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { AREAS, SOURCE, TESTS } from "../mutate/mutation.ts";
import { MUTATIONS } from "../mutate/mutations.ts";
import { mutated } from "../mutate/checkout.ts";
import { levelOf } from "../mutate/run-tests.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("there are sixty mutations with unique ids, in every area", () => {
  expect(new Set(MUTATIONS.map(({ id }) => id)).size).toBe(60);
  expect([...new Set(MUTATIONS.map(({ area }) => area))].toSorted()).toEqual([...AREAS].toSorted());
});

test.each(MUTATIONS.map((mutation) => [mutation.id, mutation] as const))(
  "mutation %s applies to its file, and its tests exist",
  (_id, mutation) => {
    const text = readFileSync(join(root, SOURCE, mutation.file), "utf8");
    expect(mutated(text, mutation)).not.toBe(text);
    expect(mutation.tests.filter((file) => !existsSync(join(root, TESTS, file)))).toEqual([]);
  },
);

test("a mutation whose text does not occur exactly once throws an error with its id", () => {
  const [mutation] = MUTATIONS;
  if (mutation === undefined) throw new Error("no mutation");
  const { id, file, find } = mutation;
  expect(() => mutated("", mutation)).toThrow(`stale mutation ${id}: its text occurs 0 times in ${file}`);
  expect(() => mutated(find + find, mutation)).toThrow(`stale mutation ${id}: its text occurs 2 times in ${file}`);
});

test("levelOf classifies as quick the tests that test:quick includes", () => {
  expect(levelOf("query/turns.test.ts")).toBe("quick");
  expect(levelOf("suites/topologies.test.ts")).toBe("full");
  expect(levelOf("social/retention/retention.test.ts")).toBe("full");
  expect(levelOf("social/pulse/held.test.ts")).toBe("quick");
});
