import { describe, expect, it } from "vitest";
import { movedPlace } from "../../src/ui/grid-props.ts";
import { nextSort } from "../../src/ui/use-sort.ts";
import { sortedColumnOf } from "./dataset-of.ts";

const COUNTS = { rows: 100, columns: 5 };
const key = (name: string, isChord = false) => ({ key: name, isChord });

describe("the grid's keyboard navigation", () => {
  it.each([
    ["ArrowDown", false, { row: 11, column: 2 }],
    ["ArrowUp", false, { row: 9, column: 2 }],
    ["ArrowLeft", false, { row: 10, column: 1 }],
    ["ArrowRight", false, { row: 10, column: 3 }],
    ["PageDown", false, { row: 20, column: 2 }],
    ["PageUp", false, { row: 0, column: 2 }],
    ["Home", false, { row: 10, column: 0 }],
    ["End", false, { row: 10, column: 4 }],
    ["Home", true, { row: 0, column: 0 }],
    ["End", true, { row: 99, column: 4 }],
  ] as const)("moves on %s (with Ctrl: %s) to %j", (name, isChord, to) => {
    expect(movedPlace({ row: 10, column: 2 }, key(name, isChord), COUNTS, 10)).toEqual(to);
  });

  it("stays within the head, the last row and the columns", () => {
    expect(movedPlace({ row: 0, column: 0 }, key("ArrowUp"), COUNTS, 10)).toEqual({ row: -1, column: 0 });
    expect(movedPlace({ row: -1, column: 0 }, key("PageUp"), COUNTS, 10)).toEqual({ row: -1, column: 0 });
    expect(movedPlace({ row: 95, column: 4 }, key("PageDown"), COUNTS, 10)).toEqual({ row: 99, column: 4 });
    expect(movedPlace({ row: 0, column: 4 }, key("ArrowRight"), COUNTS, 10)).toEqual({ row: 0, column: 4 });
  });

  it("leaves other keys to the browser", () => {
    expect(movedPlace({ row: 0, column: 0 }, key("Tab"), COUNTS, 10)).toBeUndefined();
    expect(movedPlace({ row: 0, column: 0 }, key("a", true), COUNTS, 10)).toBeUndefined();
  });
});

it("nextSort starts with the largest figures or with A, then reverses, then restores the answer's order", () => {
  const [size, slug] = [sortedColumnOf("size", "dec(6)"), sortedColumnOf("slug", "text")];
  const first = nextSort(undefined, size);
  expect(first).toEqual({ id: "size", isDescending: true });
  const second = nextSort(first, size);
  expect(second).toEqual({ id: "size", isDescending: false });
  expect(nextSort(second, size)).toBeUndefined();
  expect(nextSort(second, slug)).toEqual({ id: "slug", isDescending: false });
});
