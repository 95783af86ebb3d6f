import { expect, test } from "vitest";
import { RecentIds } from "../../../src/connectors/bluesky/recent-ids.ts";
import { uriOf } from "./event-frames.ts";

const idOf = (number: number): string => uriOf("did:plc:anna", `3k${number}`);

test("remembers at most a given number of newest ids, each with its timestamp", () => {
  const ids = new RecentIds(100_000);
  for (let number = 0; number < 300_000; number += 1) {
    ids.set(idOf(number), number);
    // An id that is set again counts as new.
    if (number === 299_000) ids.set(idOf(100), -1);
  }
  expect(ids.size).toBeLessThanOrEqual(100_000);
  for (let number = 250_001; number < 300_000; number += 1) {
    if (ids.get(idOf(number)) !== number) throw new Error(`${number} is not known as it was`);
  }
  expect(ids.get(idOf(100))).toBe(-1);
  expect(ids.get(idOf(101))).toBeUndefined();
  ids.set(idOf(299_999), 7);
  expect(ids.get(idOf(299_999))).toBe(7);
});

test("mistakes no id for another among a million", () => {
  const ids = new RecentIds(1_000_000);
  for (let number = 0; number < 200_000; number += 1) ids.set(idOf(number), number);
  expect(ids.size).toBe(200_000);
  let wrong = 0;
  for (let number = 200_000; number < 1_200_000; number += 1) if (ids.get(idOf(number)) !== undefined) wrong += 1;
  expect(wrong).toBe(0);
});
