import { describe, expect, test } from "vitest";
import { Comparison, isAgreed, near, sameTimestamp } from "../../../../scripts/verify/tally.ts";

const truth = new Map([
  ["a", { price: 1, at: Date.UTC(2026, 4, 28, 20, 26, 40) }],
  ["b", { price: 2, at: Date.UTC(2026, 4, 28, 20, 26, 41) }],
]);
const compare = () =>
  new Comparison(truth, ({ price, at }) => ({ price, at: sameTimestamp(at), usd: near(price, 0.1) }));
const row = (price: number, at: string) => ({ price, at, usd: price });
const A = row(1, "2026-05-28T20:26:40Z");
const B = row(2, "2026-05-28T20:26:41.000000Z");

describe("comparison with the truth", () => {
  test("agrees if every row is present once and correct", () => {
    const compared = compare();
    compared.take("a", A);
    compared.take("b", B);
    expect(isAgreed(compared.end("s", 2))).toBe(true);
  });

  test("counts rows that are lost, duplicated or extra, and disagrees if stored rows are not returned", () => {
    const compared = compare();
    for (const key of ["a", "a", "c"]) compared.take(key, A);
    const tally = compared.end("s", 3);
    expect(tally).toMatchObject({ truth: 2, stored: 3, answered: 3, lost: 1, doubled: 1, extra: 1, wrong: 0 });
    expect(tally.examples).toEqual(["twice: a", "not in the truth: c", "lost: b"]);
    expect(isAgreed(tally)).toBe(false);
    const short = compare();
    short.take("a", A);
    short.take("b", B);
    expect(isAgreed(short.end("s", 3))).toBe(false);
  });

  test("names each wrong field", () => {
    const compared = compare();
    compared.take("a", { price: "1", at: "2026-05-28T20:26:40.001Z", usd: 1.2 });
    const tally = compared.end("s", 2);
    expect(tally.wrong).toBe(3);
    expect(tally.examples.slice(0, 3)).toEqual([
      'a price is "1": expected 1',
      'a at is "2026-05-28T20:26:40.001Z": expected 2026-05-28T20:26:40.000Z',
      "a usd is 1.2: expected 1 ± 0.1",
    ]);
  });
});
