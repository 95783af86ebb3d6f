import { expect, test } from "vitest";
import { joinPacked } from "../../src/definition/packed-rows.ts";

const packed = (...rows: readonly string[]) => ({
  kind: "packed" as const,
  bytes: Buffer.from(rows.join("")),
  starts: rows.map((_, index) => rows.slice(0, index).join("").length),
});

test("joined rows are those of all parts, with their offsets", () => {
  const parts = [packed("a", "bcd"), packed(), packed("ef", "g")];
  expect(joinPacked(parts)).toEqual(packed("a", "bcd", "ef", "g"));
});
