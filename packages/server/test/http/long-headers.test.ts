import { expect, test } from "vitest";
import { readWeightedList } from "../../src/http/negotiation.ts";
import { requireJson } from "../../src/http/request-body.ts";

/** Reading it in quadratic time would take longer than a test may. */
const BLANKS = " ".repeat(1_000_000);

test("a long weight or media type is read in one pass", () => {
  expect(readWeightedList(`gzip;q=0${BLANKS}1`)).toEqual([{ name: "gzip", weight: 0, place: 0 }]);
  expect(() => requireJson({ "content-type": `application/json;charset=utf-8${BLANKS}x` })).toThrow(
    "Content-Type is not application/json in UTF-8.",
  );
});

test.each([
  ["gzip;q=0.5", 0.5],
  ["gzip; Q = 0.5 ", 0.5],
  ["gzip;level=1;q=0.25", 0.25],
  ["gzip;q", 1],
  ["gzip;=0.5", 1],
  ["gzip;q=", 0],
  ["gzip;q=0.5=1", 0],
])("the weight in %s is %s", (header, weight) => {
  expect(readWeightedList(header)).toEqual([{ name: "gzip", weight, place: 0 }]);
});
